/** Where a script will be, who can read it there, and whether what is live is in the same place. Writes nothing. */
import type { HistoryEntry } from '../cluster/history.ts';
import type { ClusterFacts } from '../cluster/types.ts';
import { Failure, type Finding } from '../errors.ts';
import { checkObjectKey, checkScriptUrl, objectUrl } from '../oss/address.ts';
import { signedUntil } from '../oss/signed-url.ts';
import { longestSignatureSeconds, type SignedUrl } from '../oss/store.ts';
import type { PolicyDocument, Readability } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import type { Script } from '../script/types.ts';
import { decideAccess, type ObjectPlace, openFindings, publicFindings, refuseUnreadable } from './access.ts';
import { type BucketView, keyOf } from './bucket-view.ts';
import type { Survey } from './survey.ts';
import type { Plan, Surroundings } from './types.ts';

type Around = Pick<Surroundings, 'now' | 'confirmed' | 'consented'>;

export interface Place {
  readonly url: string;
  readonly object: Plan['object'];
  readonly served: boolean;
  readonly readability: Readability;
  readonly policy: PolicyDocument | undefined;
  readonly findings: readonly Finding[];
  /** With --access presigned: the URL as signed now. */
  readonly signed: SignedUrl | undefined;
  /** Whether a publication is where this one would go. */
  readonly holds: (live: HistoryEntry) => boolean;
}

/** @throws Failure of what nodes could not read, or of a name that is none */
export async function destinationOf(survey: Survey, answers: Answers, script: Script, around: Around): Promise<Place> {
  const { destination, facts } = survey;
  if (destination.kind === 'url') {
    const served =
      destination.text !== undefined && withoutFirstComment(destination.text) === withoutFirstComment(script.text);
    if (!served && answers.outputFile === undefined) {
      throw new Failure('ScriptUrlDiffers', `${destination.url} does not give the script that was composed`, {
        next: ['Give --output-file to get the script, put it there, then run the same command again.'],
      });
    }
    return {
      url: destination.url,
      object: undefined,
      served,
      readability: served
        ? { answer: 'yes', why: 'it is read from here without credentials' }
        : { answer: 'unknown', why: 'the URL does not give this script yet' },
      policy: undefined,
      findings: [],
      signed: undefined,
      holds: (live) => live.url === destination.url && served,
    };
  }
  const place = objectPlace(answers, facts, script.digest);
  checkObjectKey(place.key);
  return bucketPlace(destination, place, answers, around);
}

/** @param digest sha256 hex of the script */
export function objectPlace(answers: Answers, { clusterName }: ClusterFacts, digest: string): ObjectPlace {
  const prefix = answers.objectKey ?? (answers.objectPrefix ?? `ackone-join/${clusterName}/`).replace(/\/?$/, '/');
  return { prefix, key: answers.objectKey ?? `${prefix}join-${digest.slice(0, 12)}.sh` };
}

async function bucketPlace(view: BucketView, place: ObjectPlace, answers: Answers, around: Around): Promise<Place> {
  const { target, store } = view;
  const signed = answers.access === 'presigned' ? await store.signedUrl(place.key, longestSignatureSeconds) : undefined;
  const url = checkScriptUrl(signed?.url ?? objectUrl(target, place.key));
  const access = decideAccess(target, view.bucket, place, answers);
  const findings = [
    ...publicFindings(answers, around),
    ...refuseUnreadable(access.readability, url, answers),
    ...openFindings(access),
  ];
  return {
    url,
    object: { bucket: target.bucket, key: place.key },
    served: true,
    ...access,
    findings,
    signed,
    holds: (live) =>
      isIn(place, keyOf(live.url, target)) &&
      live.url.includes('?') === (signed !== undefined) &&
      (signed === undefined || !dying(live.url, around.now())),
  };
}

/** In the very folder that the prefix names, or of the very key. */
const isIn = ({ prefix }: ObjectPlace, key: string | undefined): boolean =>
  key !== undefined && (prefix.endsWith('/') ? key.replace(/[^/]*$/, '') : key) === prefix;

/** Less than a day before its end, a signed URL is published anew; one of temporary credentials always. */
function dying(url: string, now: Date): boolean {
  const until = signedUntil(url);
  return !until || until.temporary || Date.parse(until.expires) - 86_400_000 < now.getTime();
}

/** A script without the comment block at its top, which names the tool's version: a newer version alone never publishes. */
export function withoutFirstComment(text: string): string {
  const lines = text.split('\n');
  const start = lines[0]?.startsWith('#!') ? 1 : 0;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('#'));
  return lines.slice(end < 0 ? lines.length : end).join('\n');
}
