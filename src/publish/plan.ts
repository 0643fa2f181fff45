/** From what was read to what will be done: writes nothing, exact to the byte, the same object for every reader. */
import type { BootstrapToken } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { signedUntil } from '../oss/signed-url.ts';
import type { PolicyDocument } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import { compose } from '../script/compose.ts';
import { withOwn, withToken } from '../script/credential.ts';
import { note } from '../script/findings.ts';
import type { Script } from '../script/types.ts';
import { isThere, keyOf } from './bucket-view.ts';
import { decidedValues } from './decided-values.ts';
import { unfinished } from './ledger.ts';
import { destinationOf, type Place, withoutFirstComment } from './place.ts';
import { expiryFindings, foreignFindings, otherRunFindings, presignedDies, sizeFindings } from './plan-findings.ts';
import { hasOtherAcl, steps } from './steps.ts';
import type { Survey } from './survey.ts';
import type { Plan, Surroundings } from './types.ts';

/** A plan together with what must not be printed. */
export interface Prepared {
  readonly plan: Plan;
  readonly script: Script;
  /** The token that the script carries, unless it is the user's own. */
  readonly token: BootstrapToken | undefined;
  /** The policy that the bucket will have; undefined when it stays as it is. */
  readonly policy: PolicyDocument | undefined;
}

/**
 * @param candidate Drawn before the plan, so that the plan is exact; used only when no live token can be.
 * @throws Failure for everything that must not be published
 */
export async function makePlan(
  survey: Survey,
  answers: Answers,
  candidate: BootstrapToken,
  around: Pick<Surroundings, 'now' | 'confirmed' | 'consented'>,
): Promise<Prepared> {
  const reused = survey.reusable;
  const token = survey.own ? undefined : (reused?.token ?? candidate);
  const script = composeFor(survey, token);
  const place = await destinationOf(survey, answers, script, around);
  const { destination, live } = survey;
  const changes = !isLive(survey, script, place, answers) || unfinished(survey.history, destination);
  const url = changes ? place.url : live.url!;
  const object = changes ? place.object : liveObject(survey);
  const isUploaded =
    changes && object !== undefined && destination.kind === 'oss'
      ? await isThere(destination.store, object.key, Buffer.from(script.text))
      : !changes;
  const tokenIsNew = token !== undefined && reused === undefined;

  const plan: Plan = {
    context: survey.facts.context,
    clusterName: survey.facts.clusterName,
    values: decidedValues(survey, place.readability),
    script: changes
      ? { digest: script.digest, size: script.size }
      : { digest: live.entry?.digest ?? script.digest, size: Buffer.byteLength(live.text ?? script.text) },
    url,
    object,
    served: place.served,
    tokenId: token?.id,
    live: { url: survey.live.url, ours: survey.live.entry !== undefined },
    readability: place.readability,
    steps: steps(survey, answers, { ...place, object, tokenId: token?.id, tokenIsNew, isUploaded, changes, url }),
    changes,
    findings: [
      ...survey.decision.findings,
      ...survey.admission.findings,
      ...place.findings,
      ...(place.signed ? [presignedDies(changes ? place.signed : (signedUntil(url) ?? place.signed))] : []),
      ...(token ? expiryFindings(reused, answers, around.now()) : []),
      ...foreignFindings(survey, answers, around.consented),
      ...otherRunFindings(survey, around),
      ...sizeFindings(script.size),
      ...survey.facts.unread.map(({ why }) => note('NotRead', why)),
    ],
    imageRequirements: survey.decision.imageRequirements,
  };
  return { plan, script, token, policy: changes ? place.policy : undefined };
}

function composeFor(survey: Survey, token: BootstrapToken | undefined): Script {
  const { decision, facts, own } = survey;
  if (!decision.input) throw new Failure('Bug', 'the checks passed, but left nothing to compose');
  if (own) return compose(withOwn(decision.input, own.credential));
  if (!token) throw new Failure('Bug', 'the checks passed, but there is no token to compose with');
  return compose(withToken(decision.input, facts.discovery?.value, token));
}

/** Where the live script is, whose name may come from another version of this program. */
function liveObject({ destination, live }: Survey): Plan['object'] {
  if (destination.kind !== 'oss' || live.url === undefined) return undefined;
  const key = keyOf(live.url, destination.target);
  return key === undefined ? undefined : { bucket: destination.target.bucket, key };
}

/** Nothing to do: the script composed now, with the live token, is what is live, but for its first comment. */
function isLive(survey: Survey, script: Script, place: Place, { access }: Answers): boolean {
  const { live } = survey;
  if (hasOtherAcl(live, access)) return false;
  if (live.entry?.state !== 'live' || live.text === undefined || place.policy) return false;
  return place.holds(live.entry) && withoutFirstComment(live.text) === withoutFirstComment(script.text);
}
