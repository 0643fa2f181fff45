import { type Cluster, type ConnectOptions, connect } from '../../src/cluster/connect.ts';
import type { FakeApi } from './fake-api.ts';

/** A connection to the fake API; read only unless the test says otherwise. */
export const open = async (api: FakeApi, more: Partial<ConnectOptions> = {}): Promise<Cluster> =>
  connect({ kubeconfig: await api.kubeconfig(), timeoutMs: 2000, readOnly: true, env: {}, ...more });

/** For what writes. */
export const openToWrite = (api: FakeApi): Promise<Cluster> => open(api, { readOnly: false });
