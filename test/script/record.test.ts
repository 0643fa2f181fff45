import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/questions.ts';
import { record } from '../../src/script/record.ts';
import { answersOf } from './fixtures.ts';

const recorded = (answers: Partial<Answers>) => record(answersOf(answers));

test('what was decided, and nothing that is the default', () => {
  expect(recorded({})).toEqual({});
  expect(
    recorded({
      kubeVersion: 'v1.28.3',
      deadline: 600,
      style: 'binary',
      firewall: 'disable',
      swap: 'keep',
      sysctl: ['vm.max_map_count=262144', 'kernel.core_pattern=/var/core?#%e'],
      kubeletSource: 'rpm',
      bootstrapKubeconfig: '/root/bootstrap.conf',
    }),
  ).toEqual({
    kubeVersion: 'v1.28.3',
    deadline: 600,
    style: 'binary',
    swap: 'keep',
    sysctl: 'vm.max_map_count=262144,kernel.core_pattern=/var/core?#%e',
    kubeletSource: 'rpm',
    bootstrapKubeconfig: '/root/bootstrap.conf',
  });
});

test('nothing of where the script goes, of the token, or of a join command', () => {
  expect(
    recorded({
      kubeconfig: '/root/.kube/config',
      context: 'lab',
      timeout: 99,
      tokenTtl: 60,
      bucket: 'b',
      scriptUrl: 'https://u:secret@h/s.sh',
      outputFile: '/tmp/x',
      joinCommand: 'kubeadm join x --token abcdef.0123456789abcdef',
      joinCommandFile: '/tmp/join',
    }),
  ).toEqual({});
});

describe('credentials in a URL', () => {
  test.each([
    ['https://user:secret@dl.example.com/a/kubelet', 'https://dl.example.com/a/kubelet'],
    ['https://secret@dl.example.com:8443/kubelet', 'https://dl.example.com:8443/kubelet'],
    ['https://user:se@cret@dl.example.com/kubelet', 'https://dl.example.com/kubelet'],
    ['https://user:se,cret@dl.example.com/kubelet', 'https://dl.example.com/kubelet'],
    ['https://dl.example.com/kubelet?Signature=secret&x=a@b', 'https://dl.example.com/kubelet'],
    ['https://dl.example.com?secret', 'https://dl.example.com'],
    ['https://dl.example.com/kubelet#secret', 'https://dl.example.com/kubelet'],
    ['https://dl.example.com/@scope/kubelet', 'https://dl.example.com/@scope/kubelet'],
    ['HTTPS://user:secret@dl.example.com/kubelet', 'https://dl.example.com/kubelet'],
    // A URL to a browser, and so to the WHATWG's parser.
    ['https:///user:secret@dl.example.com/kubelet', 'https://dl.example.com/kubelet'],
    ['https:user:secret@dl.example.com/kubelet', 'https://dl.example.com/kubelet'],
    ['https:\\\\user:secret@dl.example.com\\kubelet', 'https://dl.example.com/kubelet'],
    ['https://user:secret@/kubelet', '(a URL)'],
  ])('%s', (given, wanted) => {
    expect(recorded({ kubeletSource: given, criDockerdUrl: given })).toEqual({
      kubeletSource: wanted,
      criDockerdUrl: wanted,
    });
  });

  test('in a list, each', () => {
    expect(
      recorded({
        registryMirror: ['https://mirror.example.com', 'docker.io=https://user:secret@mirror.example.com/hub'],
        sysctl: ['x.y=https://a.example.com/p,https://user:secret@b.example.com/q?k=secret', 'x.z=4'],
      }),
    ).toEqual({
      registryMirror: 'https://mirror.example.com,docker.io=https://mirror.example.com/hub',
      sysctl: 'x.y=https://a.example.com/p,https://b.example.com/q,x.z=4',
    });
  });
});
