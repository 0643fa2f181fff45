import { describe, expect, it } from 'vitest';
import { type Layers, resolveAnswers } from '../src/answers.ts';
import { Failure, type FailureCode } from '../src/errors.ts';
import { choicesOf, flagOf, rows, suggestionsOf, variableOf } from '../src/questions.ts';

const layers = (more: Partial<Layers>): Layers => ({ flags: {}, env: {}, known: {}, ...more });
const init = (more: Partial<Layers>) => resolveAnswers('init', layers(more));
function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('where an answer comes from', () => {
  const everywhere = {
    flags: { bucket: 'by-flag' },
    env: { ACKONE_JOIN_BUCKET: 'by-variable' },
    project: { path: 'ackone-join.yaml', values: { bucket: 'by-project' } },
    user: { path: 'config.yaml', values: { bucket: 'by-user' } },
  };
  it.each([
    ['flag', everywhere, 'by-flag'],
    ['variable', { ...everywhere, flags: {} }, 'by-variable'],
    ['project file', { ...everywhere, flags: {}, env: {} }, 'by-project'],
    ['user file', { ...everywhere, flags: {}, env: {}, project: undefined }, 'by-user'],
  ] as const)('takes the %s first', (source, from, bucket) => {
    const { answers, sources } = init(from);
    expect([answers.bucket, sources.bucket]).toEqual([bucket, source]);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(init({ env: { ACKONE_JOIN_BUCKET: '' } }).answers.bucket).toBeUndefined();
  });

  it('fills in defaults, computed from what is known', () => {
    const { answers, sources } = init({ known: { currentContext: 'prod' } });
    expect(answers).toMatchObject({
      context: 'prod',
      access: 'private',
      deadline: 900,
      tokenTtl: 0,
      firewall: 'disable',
      newToken: false,
    });
    expect(sources.context).toBe('default');
  });
});

describe('checks', () => {
  it.each([
    [{ flags: { access: 'public' } }, /^--access must/],
    [{ env: { ACKONE_JOIN_VPC_ID: 'my-vpc' } }, /^ACKONE_JOIN_VPC_ID must be a VPC id/],
    [{ project: { path: 'a.yaml', values: { deadline: 'soon' } } }, /^deadline in a\.yaml must be a duration/],
    [{ flags: { kubeVersion: '1.28.3\n$(id)' } }, /^--kube-version must be one line/],
    [{ flags: { sysctl: ['vm.max_map_count'] } }, /^--sysctl must/],
  ] as const)('names the place of an invalid value (%#)', (more, message) => {
    const { code, message: what } = failure(() => init(more));
    expect(code).toBe('AnswerInvalid');
    expect(what).toMatch(message);
  });

  it('says all invalid values at once', () => {
    expect(failure(() => init({ flags: { access: 'x', firewall: 'y' } })).causes).toHaveLength(1);
  });

  it('offers the key that was probably meant for an unknown one in a file', () => {
    const { code, next } = failure(() => init({ project: { path: 'ackone-join.yaml', values: { buckt: 'example' } } }));
    expect(code).toBe('ConfigInvalid');
    expect(next).toEqual(['Did you mean bucket?', 'Correct the file.']);
  });

  it.each([
    [{ joinCommand: 'kubeadm join', joinCommandFile: 'x' }, 'AnswersContradict'],
    [{ joinCommand: 'kubeadm join', newToken: true }, 'AnswersContradict'],
    [{ scriptUrl: 'https://example.com/join.sh', bucket: 'example' }, 'AnswersContradict'],
    [{ objectKey: 'a.sh', objectPrefix: 'b/' }, 'AnswersContradict'],
    [{ ossCname: true }, 'AnswerMissing'],
    [{ access: 'vpc' }, 'AnswerMissing'],
  ] as const)('refuses what cannot hold together: %j', (flags, code: FailureCode) => {
    expect(failure(() => init({ flags })).code).toBe(code);
  });

  it('takes a switch that is off for no contradiction', () => {
    expect(init({ flags: { joinCommand: 'kubeadm join', newToken: false } }).answers.newToken).toBe(false);
  });
});

describe('forms of values', () => {
  it.each([
    ['0', 0],
    ['90s', 90],
    ['1h30m', 5400],
    ['30d', 2_592_000],
    [24, 24],
  ])('reads the duration %j', (given, seconds) => {
    expect(init({ flags: { tokenTtl: given } }).answers.tokenTtl).toBe(seconds);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['no', false],
    [true, true],
  ])('reads the switch %j', (given, value) => {
    expect(init({ env: {}, project: { path: 'a', values: { newToken: given } } }).answers.newToken).toBe(value);
  });

  it('reads a list from flags, from YAML and from a variable', () => {
    const wanted = ['vm.max_map_count=262144', 'fs.file-max=1000'];
    expect(init({ flags: { sysctl: wanted } }).answers.sysctl).toEqual(wanted);
    expect(init({ env: { ACKONE_JOIN_SYSCTL: wanted.join(',') } }).answers.sysctl).toEqual(wanted);
  });
});

describe('where packages come from', () => {
  it.each([
    ['auto', 'auto'],
    ['https://m.example.com/', 'https://m.example.com'],
    ['http://192.0.2.5:8080/aliyun//', 'http://192.0.2.5:8080/aliyun'],
  ])('%s', (given, mirror) => {
    expect(init({ flags: { mirror: given } }).answers.mirror).toBe(mirror);
  });

  it('says what else there is, as for words alone', () => {
    const { message } = failure(() => init({ flags: { mirror: 'aliyunn' } }));
    expect(message).toMatch(
      /^--mirror must be one of auto, aliyun, aliyun-internal, upstream, or the URL of a mirror,/,
    );
  });

  it('offers the words, but does not hold them for all there is', () => {
    const row = rows.find(([key]) => key === 'mirror')![1];
    expect(choicesOf(row)).toBeUndefined();
    expect(suggestionsOf(row)).toEqual(['auto', 'aliyun', 'aliyun-internal', 'upstream']);
    expect(suggestionsOf(rows.find(([key]) => key === 'apiServerIp')![1])).toBeUndefined();
    expect(suggestionsOf(rows.find(([key]) => key === 'selinux')![1])).toHaveLength(3);
  });
});

it('says of a list what is wrong with an item, however it was given', () => {
  const why = 'must be a URL, or REGISTRY=URL';
  for (const given of [
    { flags: { registryMirror: ['https://m.example.com', 'm.example.com'] } },
    { env: { ACKONE_JOIN_REGISTRY_MIRROR: 'https://m.example.com,m.example.com' } },
  ]) {
    expect(failure(() => init(given)).message).toContain(why);
  }
  expect(failure(() => init({ env: {}, project: { path: 'a', values: { sysctl: 7 } } })).message).toContain(
    'must be a list of texts',
  );
});

describe('the table', () => {
  it('gives every question a flag, a variable, help and a group, each once', () => {
    const flags = rows.map(([key]) => flagOf(key));
    expect(new Set(flags).size).toBe(rows.length);
    for (const [key, row] of rows) {
      expect(flagOf(key)).toMatch(/^--[a-z][a-z0-9-]+$/);
      expect(variableOf(key)).toMatch(/^ACKONE_JOIN_[A-Z0-9_]+$/);
      expect(row.help.length).toBeGreaterThan(5);
    }
  });

  it('knows the values of a question with a fixed set', () => {
    const row = rows.find(([key]) => key === 'selinux')![1];
    expect(choicesOf(row)).toEqual(['disabled', 'permissive', 'keep']);
  });
});
