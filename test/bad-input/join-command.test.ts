/** Bad input: a join command that a user gives. The secret half of its token is never shown, however broken it is. */
import { type Row, table } from './table.ts';

const secret = 'k5v0q9w2x7r4m1z8';
const token = `abcdef.${secret}`;
const pin = `sha256:${'ab'.repeat(32)}`;
const good = `kubeadm join 192.0.2.10:6443 --token ${token} --discovery-token-ca-cert-hash ${pin}`;

const command = (title: string, text: string, says: RegExp): Row => ({
  title,
  given: (world) => ({ words: ['init', '--yes', '--join-command-file', world.file('join.txt', text)] }),
  exit: 2,
  code: 'JoinCommandInvalid',
  says,
  next: /kubeadm token create/,
  secret,
});

table('the join command', [
  command('nothing', '', /^the join command does not begin with `kubeadm join`$/),
  command('another command', `kubectl join ${token}`, /^the join command does not begin with `kubeadm join`$/),
  command(
    'no server',
    good.replace('192.0.2.10:6443 ', ''),
    /^the join command names no API server: host:port is missing$/,
  ),
  command(
    'a token that is too short',
    good.replace(secret, 'short'),
    /^the token in the join command is not of the form/,
  ),
  command(
    'a token without its dot',
    good.replace('abcdef.', 'abcdef'),
    /^the token in the join command is not of the form/,
  ),
  command(
    'a pin that is none',
    good.replace('sha256:', 'sha1:'),
    /^a --discovery-token-ca-cert-hash in the join command is not/,
  ),
  command(
    'no pin',
    `kubeadm join 192.0.2.10:6443 --token ${token}`,
    /^the join command has no --discovery-token-ca-cert-hash, /,
  ),
  command(
    'E4 the pin of nothing',
    good.replace(pin, 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    /is the hash of nothing: `openssl rsa` was used on an EC key$/,
  ),
  command(
    'a control-plane join',
    `${good} --control-plane --certificate-key ${'cd'.repeat(32)}`,
    /^the option --control-plane in the join command makes a control-plane node, and ECS nodes join as workers$/,
  ),
  command('; rm -rf behind it', `${good}; rm -rf /`, /^the join command holds ;, which only a shell could resolve$/),
  command(
    'a command in its place for the token',
    good.replace(token, '$(cat /etc/shadow)'),
    /^the join command holds \$, which only a shell could resolve$/,
  ),
  command('backticks', `${good} \`touch /tmp/x\``, /^the join command holds `, which only a shell could resolve$/),
  command(
    'a second line',
    `${good}\nreboot\n`,
    /^the join command is followed by another command on a line of its own$/,
  ),
  command(
    'an escape',
    `${good} --v=\u001b[2J`,
    /^the join command holds a character that no option of kubeadm join can have/,
  ),
  command('a quote that is not closed', `${good} '`, /^the join command has a quote that is not closed/),
  command(
    'an option of another program',
    `${good} --force`,
    /^the join command has an option that kubeadm join does not know, --force$/,
  ),
  {
    title: '--join-command with a line break in it',
    given: () => ({ words: ['init', '--yes', '--join-command', `${good}\nreboot`] }),
    exit: 2,
    code: 'AnswerInvalid',
    says: /^--join-command must be one line without control characters$/,
    secret,
  },
]);
