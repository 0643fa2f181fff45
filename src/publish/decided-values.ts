/** What was decided, and by whom, for the plan's first lines. Pure. */
import type { Readability } from '../oss/types.ts';
import type { Survey } from './survey.ts';
import type { DecidedValue } from './types.ts';

export function decidedValues(survey: Survey, readability: Readability): readonly DecidedValue[] {
  const { decision, facts, join } = survey;
  const input = decision.input!;
  const source = (name: string) => decision.sources[name] ?? 'computed';
  const server = join?.endpoint ?? facts.discovery?.value.server ?? '';
  return [
    {
      name: 'Kubernetes',
      value: `${input.kubeVersion.base} (${input.kubeVersion.raw})`,
      source: source('kubeVersion'),
    },
    {
      name: 'Runtime',
      value: `${input.runtime} ${input.runtimeVersion.base} (${input.runtimeVersion.raw})`,
      source: source('runtime'),
    },
    { name: 'Runtime packages', value: input.runtimePackages.join(' '), source: 'computed' },
    { name: 'cgroup driver', value: input.cgroupDriver, source: source('cgroupDriver') },
    { name: 'CRI socket', value: input.criSocket, source: source('criSocket') },
    { name: 'Pause image', value: input.sandboxImage, source: source('sandboxImage') },
    { name: 'API server', value: server, source: join ? 'join command' : (facts.discovery?.source ?? '') },
    {
      name: 'CA pins',
      value: String((join?.pins ?? facts.discovery?.value.pins ?? []).length),
      source: join ? 'join command' : (facts.discovery?.source ?? ''),
    },
    { name: 'Readable by nodes', value: readability.answer, source: readability.why },
  ];
}
