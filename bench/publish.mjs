/** The whole job, against a real API server on this machine, and the same done by hand. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { CannotRun, compare, run } from './measure.mjs';
import { folder, program, withSandbox } from './program.mjs';
import { criticalPath, requestsIn } from './round-trips.mjs';

const countings = 5;
const systemNamespace = '/api/v1/namespaces/kube-system';
/** @param {string} path */
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
/** @param {string} path */
const load = async (path) => (await runnerImport(pathOf(path))).module;

/** As long as the page's sample: what is uploaded by hand. */
const sample = `#!/bin/bash
export KUBE_VERSION=<KUBE_VERSION>
export RUNTIME_VERSION=<RUNTIME_VERSION>
export KUBEADM_JOIN_CMD=<KUBEADM_JOIN_CMD>
${'# Prepares the host.\n'.repeat(250)}`;

/** @param {(line: string) => void} say */
async function controlPlane(say) {
  /** @type {typeof import('../test/cluster/build-parts.ts')} */
  const { findParts } = await load('../test/cluster/build-parts.ts');
  /** @type {typeof import('../test/cluster/control-plane.ts')} */
  const { startControlPlane } = await load('../test/cluster/control-plane.ts');
  /** @type {typeof import('../test/cluster/furnish.ts')} */
  const { byKubeadm } = await load('../test/cluster/furnish.ts');
  const parts = await findParts(process.env, say).catch((error) => {
    throw new CannotRun(error.message);
  });
  for (const command of ['jq', 'setpriv']) {
    await run([command, '--version']).catch(() => {
      throw new CannotRun(`There is no ${command} on this machine.`);
    });
  }
  return startControlPlane(parts, byKubeadm);
}

/**
 * @param {import('../test/cluster/control-plane.ts').ControlPlane} cluster
 * @returns {Promise<() => Promise<void>>} makes the cluster one in which nothing was ever published
 */
async function resetter({ kubeconfig }) {
  /** @type {typeof import('../test/support/raw-api.ts')} */
  const { call, connectionOf } = await load('../test/support/raw-api.ts');
  const admin = connectionOf(readFileSync(kubeconfig, 'utf8'));
  const ask = (/** @type {[string, string, unknown?, string?]} */ ...request) => call(admin, ...request);
  return async () => {
    await ask('DELETE', `${systemNamespace}/configmaps/ackone-join`);
    // The token of kubeadm's own, abcdef, stays: every cluster has some.
    const ours = `${systemNamespace}/secrets?fieldSelector=type%3Dbootstrap.kubernetes.io%2Ftoken%2Cmetadata.name%21%3Dbootstrap-token-abcdef`;
    await ask('DELETE', ours);
    const none = { data: { addNodeScriptPath: null } };
    await ask('PATCH', `${systemNamespace}/configmaps/ack-agent-config`, none, 'application/merge-patch+json');
  };
}

/** @type {import('./measure.mjs').Case} */
export const publish = {
  about: 'the whole job on a real API server, as ratio to the same by kubectl, kubeadm and an upload',
  run: async (say) => {
    const { controlPlane: cluster, stop } = await controlPlane(say);
    try {
      const reset = await resetter(cluster);
      return await withSandbox(async (sandbox) => {
        const { kubectl, kubeadm } = cluster.parts;
        const env = { ...sandbox, KUBECONFIG: cluster.kubeconfig, KUBECTL: kubectl, KUBEADM: kubeadm };
        const samplePath = join(folder, 'sample.sh');
        writeFileSync(samplePath, sample);
        const upload = [process.execPath, fileURLToPath(new URL('./upload.mjs', import.meta.url))];
        const byHand = ['bash', pathOf('./by-hand.sh'), samplePath, join(folder, 'filled-in.sh'), ...upload];
        /** @param {readonly string[]} command */
        const afresh = (command) => async () => {
          await reset();
          return (await run(command, env)).milliseconds;
        };
        const times = await compare(
          [
            { what: 'by hand', measure: afresh(byHand) },
            { what: 'init --yes', measure: afresh(program('init', '--yes')), goal: 0.5 },
          ],
          'ms',
        );
        const counted = [];
        for (let counting = 0; counting < countings; counting++) {
          await reset();
          counted.push(await requestsOf(program('init', '--yes', '--debug'), env));
        }
        const api = counted.map((requests) => requests.filter(({ whom }) => whom.startsWith('https://192.0.2.10')));
        return [
          ...times,
          { what: 'requests to the API', values: api.map(({ length }) => length), unit: 'requests' },
          {
            what: 'of them one after the other',
            values: api.map((each) => criticalPath(each).length),
            unit: 'requests',
          },
          {
            what: 'with those to OSS, so',
            values: counted.map((each) => criticalPath(each).length),
            unit: 'requests',
          },
        ];
      });
    } finally {
      await stop();
    }
  },
};

/** @param {readonly string[]} command @param {NodeJS.ProcessEnv} env */
async function requestsOf(command, env) {
  const { stderr } = await run(command, env);
  const path = /^Log: (.+)$/m.exec(stderr)?.[1] ?? '';
  const log = readFileSync(path, 'utf8');
  rmSync(path);
  return requestsIn(log);
}
