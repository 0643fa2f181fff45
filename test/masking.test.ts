import { expect, it } from 'vitest';
import { masked, visible, withoutSecrets } from '../src/masking.ts';

it.each([
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['two\nlines\r', 'two\\u000alines\\u000d'],
  ['abc\u202edcba', 'abc\\u202edcba'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['生产集群 é', '生产集群 é'],
])('makes %j harmless and keeps what is readable', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it('shows the public half of a token only', () => {
  expect(masked('abcdef')).toBe('abcdef.****************');
});

it.each([
  ['kubeadm join --token abcdef.0123456789abcdef x', 'kubeadm join --token abcdef.**************** x'],
  ['https://user:passw0rd@files.example.com/a', 'https://****@files.example.com/a'],
  [
    'https://b.example.com/k?x-oss-date=1&x-oss-signature=abc',
    'https://b.example.com/k?x-oss-date=1&x-oss-signature=****',
  ],
  [
    'https://b.example.com/k?OSSAccessKeyId=LTAI&Signature=a%2B',
    'https://b.example.com/k?OSSAccessKeyId=****&Signature=****',
  ],
  ['https://b.example.com/k?security-token=CAIS', 'https://b.example.com/k?security-token=****'],
  ['v1.28.3 on https://192.0.2.10:6443/api', 'v1.28.3 on https://192.0.2.10:6443/api'],
])('takes the secrets out of %s', (text, without) => expect(withoutSecrets(text)).toBe(without));
