/** Bad input: the command line, variables, config files, and where the result should go. */
import { table } from './table.ts';

const config = (text: string) => (world: { file(name: string, content: string): string }) => ({
  words: ['init', '--yes', '--config', world.file('ackone-join.yaml', text)],
});

table('the command line', [
  {
    title: 'a command misspelled',
    given: () => ({ words: ['inti', '--yes'] }),
    exit: 2,
    code: 'Usage',
    says: /^unknown command 'inti'$/,
    next: /^Did you mean init\?\nRun ackone-join --help\.$/,
  },
  {
    title: 'a command that nothing is like',
    given: () => ({ words: ['frobnicate'] }),
    exit: 2,
    code: 'Usage',
    says: /^unknown command 'frobnicate'$/,
    next: /ackone-join --help/,
  },
  {
    title: 'a flag misspelled',
    given: () => ({ words: ['init', '--yes', '--buckt', 'ackone-sandbox'] }),
    exit: 2,
    code: 'Usage',
    says: /^unknown option '--buckt'$/,
    next: /^Did you mean --bucket\?\nRun ackone-join init --help\.$/,
  },
  {
    title: 'a flag of another command',
    given: () => ({ words: ['render', '--bucket', 'ackone-sandbox'] }),
    exit: 2,
    code: 'Usage',
    says: /^unknown option '--bucket': it is a flag of init and config$/,
    next: /ackone-join render --help/,
  },
  {
    title: 'a flag without its value',
    given: () => ({ words: ['init', '--yes', '--bucket'] }),
    exit: 2,
    code: 'Usage',
    says: /^option '--bucket <name>' needs a value$/,
    next: /ackone-join init --help/,
  },
  {
    title: 'a word too many',
    given: () => ({ words: ['init', '--yes', 'ackone-sandbox'] }),
    exit: 2,
    code: 'Usage',
    says: /^too many arguments for 'init': expected 0 arguments but got 1$/,
  },
  {
    title: '-o xml',
    given: () => ({ words: ['init', '--yes', '-o', 'xml'] }),
    exit: 2,
    code: 'Usage',
    says: /^option '-o, --output <text\|json>' must be one of text, json, and is 'xml'$/,
  },
  {
    title: '--deadline nonsense',
    given: () => ({ words: ['init', '--yes', '--deadline', 'soon'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--deadline must be a duration such as 90s, 15m, 24h or 30d$/,
  },
  {
    title: '--deadline in which no script could finish',
    given: () => ({ words: ['init', '--yes', '--deadline', '0'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--deadline must be at least 1m$/,
  },
  {
    title: '--timeout in which nothing could answer',
    given: () => ({ words: ['init', '--yes', '--timeout', '0s'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--timeout must be at least 1s$/,
  },
  {
    title: 'a value that is none of the choices',
    given: () => ({ words: ['init', '--yes', '--selinux', 'off'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--selinux must be one of disabled, permissive, keep$/,
  },
  {
    title: 'two values at once that are none, one of a variable',
    given: () => ({ words: ['init', '--yes', '--deadline', '-5m'], env: { ACKONE_JOIN_ACCESS: 'everybody' } }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--deadline must be a duration/,
    cause: /^ACKONE_JOIN_ACCESS must be one of private, vpc, public-read, presigned$/,
  },
  {
    title: 'flags that contradict each other: a join command and a new token',
    given: () => ({ words: ['init', '--yes', '--join-command-file', 'join.txt', '--new-token'] }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--join-command-file and --new-token cannot both be given: a join command brings its own token$/,
    next: /Leave one/,
  },
  {
    title: 'flags that contradict each other: a URL and a bucket',
    given: () => ({
      words: ['init', '--yes', '--script-url', 'https://files.example.com/join.sh', '--bucket', 'mine'],
    }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--script-url and --bucket cannot both be given: with a URL of your own nothing is uploaded$/,
  },
  {
    title: 'flags that contradict each other: the sandbox and a kubeconfig',
    given: (world) => ({ words: ['init', '--yes', '--sandbox', '--kubeconfig', world.sandbox.kubeconfig] }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--sandbox brings its own cluster and its own OSS, so --kubeconfig cannot be given$/,
    next: /Leave --kubeconfig out, or --sandbox/,
  },
  {
    title: 'flags that contradict each other: the sandbox and a config file',
    given: (world) => ({
      words: ['init', '--yes', '--sandbox', '--config', world.file('ackone-join.yaml', 'bucket: mine\n')],
    }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--sandbox takes answers from flags only, so --config cannot be given$/,
    next: /Leave --config out, or --sandbox/,
  },
  {
    title: '--sysctl keep beside another',
    given: () => ({ words: ['init', '--yes', '--sysctl', 'keep', '--sysctl', 'vm.swappiness=1'] }),
    exit: 2,
    code: 'AnswersContradict',
    says: /^--sysctl keep and other kernel settings cannot both be given$/,
  },
  {
    title: '--access vpc without a VPC',
    given: () => ({ words: ['init', '--yes', '--access', 'vpc'], env: { ACKONE_JOIN_VPC_ID: '' } }),
    exit: 2,
    code: 'AnswerMissing',
    says: /^--access vpc needs to know the VPC of the node pool$/,
    next: /--vpc-id/,
  },
  {
    title: '--oss-cname without a domain',
    given: () => ({ words: ['init', '--yes', '--oss-cname'], env: { ACKONE_JOIN_OSS_ENDPOINT: '' } }),
    exit: 2,
    code: 'AnswerMissing',
    says: /^--oss-cname says that the endpoint is a domain of yours, but --oss-endpoint is not given$/,
    next: /--oss-endpoint/,
  },
  {
    title: 'neither a terminal nor --yes',
    given: () => ({ words: ['init'] }),
    exit: 2,
    code: 'ConsentMissing',
    says: /^the plan was not carried out, because nobody said yes to it$/,
    next: /--yes/,
    stdout: /ConfigMap kube-system\/ack-agent-config: addNodeScriptPath = http:/,
  },
]);

table('config files', [
  {
    title: 'a key misspelled',
    given: config('buckt: ackone-sandbox\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^\/.*\/ackone-join\.yaml has the key buckt, which is none of ackone-join's$/,
    next: /^Did you mean bucket\?\nCorrect the file\.$/,
  },
  {
    title: 'a key that nothing is like',
    given: config('frobnicate: true\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^\/.*\/ackone-join\.yaml has the key frobnicate, which is none of ackone-join's$/,
  },
  {
    title: 'a key with an escape and a line of its own',
    given: config('"x\\u001b[2J\\nError Bug: forged": true\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /has the key x\\u001b\[2J\\u000aError Bug: forged, which is none/,
  },
  {
    title: 'a schema of another version',
    given: config('schema: ackone-join/config/v2\nbucket: mine\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^\/.*\/ackone-join\.yaml has another schema than ackone-join\/config\/v1$/,
    next: /schema: ackone-join\/config\/v1/,
  },
  {
    title: 'consent in a file',
    given: config('yes: true\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /has the key yes, which is none of ackone-join's/,
  },
  {
    title: 'broken YAML',
    given: config('bucket: [\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^\/.*\/ackone-join\.yaml is not valid YAML, line 2$/,
  },
  {
    title: 'a list in place of keys',
    given: config('- bucket\n'),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^\/.*\/ackone-join\.yaml must hold keys and values, one a line, such as bucket: example$/,
  },
  {
    title: 'a value of the wrong kind',
    given: config('firewall: [disable]\n'),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^firewall in \/.*\/ackone-join\.yaml must be one of disable, keep$/,
  },
  {
    title: 'a version that YAML takes for a number',
    given: config('kubeVersion: 1.28\n'),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^kubeVersion in \/.*\/ackone-join\.yaml must be text; in a config file, put it in quotes$/,
  },
  {
    title: '--config that is not there',
    given: (world) => ({ words: ['init', '--yes', '--config', `${world.folder}/nothing.yaml`] }),
    exit: 2,
    code: 'ConfigInvalid',
    says: /^there is no config file \/.*\/nothing\.yaml$/,
    next: /--config/,
  },
]);

const toldEverything = (world: { file(name: string, content: string): string }) => {
  const hash = `sha256:${'ab'.repeat(32)}`;
  const command = `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${hash}`;
  const join = ['--join-command-file', world.file('join.txt', command)];
  return ['render', '--kube-version', '1.28.3', '--runtime', 'containerd://1.6.28', ...join];
};

table('the output file', [
  {
    title: 'init into a folder that is not there',
    given: (world) => ({ words: ['init', '--yes', '--output-file', `${world.folder}/gone/join.sh`] }),
    exit: 2,
    code: 'OutputUnwritable',
    says: /^\/.*\/gone\/join\.sh cannot be written: there is no such file or folder$/,
    next: /another path/,
  },
  {
    title: 'init over a folder',
    given: (world) => ({ words: ['init', '--yes', '--output-file', world.folder] }),
    exit: 2,
    code: 'OutputUnwritable',
    says: /^\/.*\/given cannot be written: it is a folder$/,
  },
]);

table('render', [
  {
    title: '--output-file in a folder that is not there',
    given: (world) => ({ words: [...toldEverything(world), '--output-file', `${world.folder}/gone/join.sh`] }),
    exit: 2,
    code: 'OutputUnwritable',
    says: /^\/.*\/gone\/join\.sh cannot be written: there is no such file or folder$/,
    next: /another path/,
    secret: '0123456789abcdef',
  },
  {
    title: '--output-file that is a folder',
    given: (world) => ({ words: [...toldEverything(world), '--output-file', world.folder] }),
    exit: 2,
    code: 'OutputUnwritable',
    says: /^\/.*\/given cannot be written: it is a folder$/,
    secret: '0123456789abcdef',
  },
  {
    title: 'a join command file that is not there',
    given: (world) => {
      const told = ['--kube-version', '1.28.3', '--runtime', 'containerd://1.6.28'];
      return { words: ['render', ...told, '--join-command-file', `${world.folder}/nothing.txt`] };
    },
    exit: 2,
    code: 'JoinCommandInvalid',
    says: /^\/.*\/nothing\.txt cannot be read: there is no such file or folder$/,
    next: /path of a file/,
  },
  {
    title: 'no live token to compose with',
    given: () => ({ words: ['render'] }),
    exit: 2,
    code: 'AnswerMissing',
    says: /^there is no live token of ackone-join to compose with, and render makes none$/,
    next: /--join-command-file, or run ackone-join init/,
  },
  {
    title: 'a cri-dockerd URL that is none',
    given: () => ({ words: ['render', '--cri-dockerd-url', '/root/cri-dockerd.rpm'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--cri-dockerd-url must be an http or https URL$/,
  },
  {
    title: 'an address of the API server that is none',
    given: () => ({ words: ['render', '--api-server-ip', 'api.example.com'] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--api-server-ip must be an IPv4 or IPv6 address$/,
  },
]);
