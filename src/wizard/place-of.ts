import type { Key } from '../questions.ts';
import type { Place, ScreenName } from './model.ts';

/** Answers that have a screen of their own. */
const ownScreens: { readonly [K in Key]?: ScreenName } = {
  context: 'cluster',
  bucket: 'where',
  access: 'access',
  vpcId: 'vpc',
  acceptUnverified: 'unverified',
  replaceForeign: 'foreign',
};

/** Where an answer is given. */
export function placeOf(key: Key): Place {
  const screen = ownScreens[key];
  return screen ? { screen } : { screen: 'edit', key };
}
