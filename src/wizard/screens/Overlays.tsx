/** What is looked at for a while, instead of the question. */
import { rbacManifest } from '../../cluster/permissions.ts';
import { planText } from '../../output/text.ts';
import { Diff } from '../components/Diff.tsx';
import { Pager } from '../components/Pager.tsx';
import { useWindow } from '../components/window.tsx';
import { gained } from '../flow.ts';
import { foundRows } from '../found-rows.ts';
import type { Overlay } from '../model.ts';
import * as words from '../words.ts';
import { detailsText } from './Details.tsx';
import type { ScreenProps } from './frame.tsx';

export function Overlays({ state, dispatch, overlay }: ScreenProps & { readonly overlay: Exclude<Overlay, 'help'> }) {
  const { rows: all } = useWindow();
  const rows = all - 1;
  const onClose = () => dispatch({ type: 'closed' });
  const title = words.overlays[overlay];
  const review = gained(state, 'review');
  const found = gained(state, 'found');
  if (overlay === 'diff' && review?.live !== undefined) {
    return <Diff title={title} before={review.live} after={review.script} rows={rows} onClose={onClose} />;
  }
  const text = {
    plan: () => (review ? planText(review.plan) : ''),
    script: () => review?.script ?? '',
    diff: () => `${words.noLiveScript}\n\n${review?.script ?? ''}`,
    role: () => rbacManifest({ kind: 'User', name: 'NAME' }),
    found: () => (found ? detailsText(foundRows(found, state.given)) : ''),
  }[overlay]();
  return <Pager title={title} text={text} rows={rows} onClose={onClose} />;
}
