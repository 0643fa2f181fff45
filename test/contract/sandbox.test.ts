import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Connection, connectionOf } from '../support/raw-api.ts';
import { contract } from './contract.ts';

describe('contract, on the sandbox', () => {
  let sandbox: Sandbox;
  let admin: Connection;
  beforeAll(async () => {
    sandbox = await startSandbox();
    admin = connectionOf(readFileSync(sandbox.kubeconfig, 'utf8'));
  });
  afterAll(() => sandbox.close());
  contract(() => admin);
});
