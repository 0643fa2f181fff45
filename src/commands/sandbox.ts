/** `ackone-join sandbox`: serves the embedded cluster and OSS until a signal ends it. */
import { once } from 'node:events';
import type { Interrupted } from '../errors.ts';
import { quote } from '../quote.ts';
import type { Flags, Run } from './run.ts';

export interface SandboxFlags extends Flags {
  readonly dir?: string;
}

export async function sandbox(flags: SandboxFlags, run: Run): Promise<number> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const served = await startSandbox(flags.dir === undefined ? {} : { dir: flags.dir });
  try {
    const { bucket, region, endpoint, nodeEndpoint, vpcId } = served.known;
    const settings = {
      KUBECONFIG: served.kubeconfig,
      ...served.env,
      ACKONE_JOIN_BUCKET: bucket,
      ACKONE_JOIN_REGION: region,
      ACKONE_JOIN_OSS_ENDPOINT: endpoint,
      ACKONE_JOIN_NODE_ENDPOINT: nodeEndpoint,
      ACKONE_JOIN_VPC_ID: vpcId,
    };
    run.output.data(
      Object.entries(settings)
        .map(([name, value]) => `export ${name}=${quote(value)}\n`)
        .join(''),
    );
    run.output.note('Serving until Ctrl-C. Put the lines above into another shell.');
    if (!run.signal.aborted) await once(run.signal, 'abort');
    return (run.signal.reason as Interrupted).exit;
  } finally {
    await served.close();
  }
}
