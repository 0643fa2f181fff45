import { Failure } from '../errors.ts';
import type { Outcome } from '../publish/publish.ts';

/** @throws Failure ScriptUrlDiffers when --script-url does not give the new script yet */
export function refuseUnserved({ plan, publication }: Outcome, file: string | undefined): void {
  if (publication?.state !== 'prepared') return;
  const { url, tokenId } = plan;
  throw new Failure(
    'ScriptUrlDiffers',
    `${url} does not give the script that was composed${tokenId === undefined ? '' : '; its token now exists and waits'}`,
    { next: [`Put ${file} where ${url} serves it, then run the same command again.`] },
  );
}
