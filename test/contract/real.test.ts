import { onControlPlane } from '../cluster/on-control-plane.ts';
import { contract } from './contract.ts';

onControlPlane('contract, on the real API server', ({ admin }) => contract(() => admin));
