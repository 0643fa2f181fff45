/** --kubelet-source: a URL, a path on the image, or rpm. */
import type { Answers } from '../questions.ts';
import { type Decided, stop } from './findings.ts';
import type { KubeletSource } from './types.ts';

const archive = /\.(tar(\.\w+)?|t[bgx]z2?|zip|[gx]z|bz2|zst|rpm|deb)$/i;

/** @returns a value of undefined and no finding when nothing is said */
export function decideKubeletSource({ kubeletSource, kubeletSha256 }: Answers): Decided<KubeletSource> {
  const source = '--kubelet-source';
  const refused = (what: string, ...next: string[]): Decided<KubeletSource> => ({
    value: undefined,
    source,
    findings: [stop('AnswerInvalid', what, ...next)],
  });
  if (kubeletSource === undefined) return { value: undefined, source, findings: [] };
  if (kubeletSource === 'rpm') {
    return kubeletSha256 === undefined
      ? { value: { kind: 'rpm' }, source, findings: [] }
      : refused(
          'an RPM is checked by its signature, and --kubelet-sha256 is for a program',
          'Leave --kubelet-sha256 out.',
        );
  }
  const onImage = kubeletSource.startsWith('/');
  if (!onImage && !URL.canParse(kubeletSource)) return refused('the value of --kubelet-source is no URL');
  const path = onImage ? kubeletSource : new URL(kubeletSource).pathname;
  if (archive.test(path)) {
    return refused(
      `--kubelet-source names ${path.split('/').at(-1)}, an archive or a package, and the kubelet program itself is needed`,
      `Unpack it, and give the ${onImage ? 'path' : 'URL'} of the program kubelet.`,
    );
  }
  if (onImage) return { value: { kind: 'path', path, sha256: kubeletSha256 }, source, findings: [] };
  if (kubeletSha256 === undefined) {
    return refused(
      'a kubelet that is fetched from a URL is run as root, and nothing says that it is the right one',
      "Give --kubelet-sha256 with the program's sha256; releases of Kubernetes come with a file kubelet.sha256.",
    );
  }
  return { value: { kind: 'url', url: kubeletSource, sha256: kubeletSha256 }, source, findings: [] };
}

/** Where the program is when the unit starts it. */
export const programOf = (kubelet: KubeletSource): string =>
  kubelet.kind === 'path' ? kubelet.path : kubelet.kind === 'rpm' ? '/usr/bin/kubelet' : '/usr/local/bin/kubelet';
