import { createHash } from 'node:crypto';

/** kubeadm's default: says nothing about which cluster it is. */
const saysNothing = 'kubernetes';
const longest = 63;

/**
 * A name for prefixes and comments: kubeadm's clusterName when it says something, else the context, made of
 * `a-zA-Z0-9_.-` only. Where that changes it, eight digits of its digest keep two odd names apart (cases.md H6).
 */
export function clusterNameOf(kubeadmName: string | undefined, context: string): string {
  const raw = kubeadmName && kubeadmName !== saysNothing ? kubeadmName : context;
  const safe = raw
    .replace(/[^a-zA-Z0-9_.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '');
  if (safe === raw && raw !== '' && raw.length <= longest) return raw;
  const digest = createHash('sha256').update(raw).digest('hex').slice(0, 8);
  const start = safe.slice(0, longest - 9).replace(/[-.]+$/, '');
  return start === '' ? digest : `${start}-${digest}`;
}
