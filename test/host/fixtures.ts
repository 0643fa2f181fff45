import type { RequestListener } from 'node:http';
import { test as base, inject } from 'vitest';
import { bootHost, type Host, type HostOptions } from './host.ts';
import { relay, serve } from './serve.ts';

interface Fixtures {
  /** Boots a host that is stopped when the test ends, however it ends. */
  readonly boot: (options: HostOptions) => Promise<Host>;
  /** Serves to the hosts that are booted, until the test ends, and gives the URL of the script. */
  readonly publish: (listener: RequestListener) => Promise<string>;
  /** Makes a loopback port of this machine reachable for hosts until the test ends, and gives its URL there. */
  readonly reach: (port: number) => Promise<string>;
}

const extended = base.extend<Fixtures>({
  boot: async ({ onTestFinished }, use) => {
    await use(async (options) => {
      const host = await bootHost(options);
      onTestFinished(() => host.stop());
      return host;
    });
  },
  publish: async ({ onTestFinished }, use) => {
    await use(async (listener) => {
      const served = await serve(listener);
      onTestFinished(() => served.close());
      return `${served.url}/join.sh`;
    });
  },
  reach: async ({ onTestFinished }, use) => {
    await use(async (port) => {
      const served = await relay(port);
      onTestFinished(() => served.close());
      return served.url;
    });
  },
});

/** Hosts side by side; on a machine that cannot boot any, `global-setup.ts` has said why. */
export const test = extended.skipIf(inject('hosts') === undefined).concurrent;
