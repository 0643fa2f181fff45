/** The state on the screen: an overlay, or the screen of the present question, which draws its help itself. */
import { useEffect, useSyncExternalStore } from 'react';
import { Hearing } from './components/keyboard.tsx';
import { StepList } from './components/StepList.tsx';
import type { ScreenName } from './model.ts';
import { Access } from './screens/Access.tsx';
import { Change } from './screens/Change.tsx';
import { Cluster } from './screens/Cluster.tsx';
import { Confirm } from './screens/Confirm.tsx';
import { Edit } from './screens/Edit.tsx';
import { Failed } from './screens/Failed.tsx';
import { Foreign } from './screens/Foreign.tsx';
import { Found } from './screens/Found.tsx';
import type { ScreenProps } from './screens/frame.tsx';
import { Overlays } from './screens/Overlays.tsx';
import { Policy, Unverified } from './screens/Policy.tsx';
import { Publishing } from './screens/Publishing.tsx';
import { ReviewScreen } from './screens/Review.tsx';
import { Vpc } from './screens/Vpc.tsx';
import { Where } from './screens/Where.tsx';
import type { Session } from './session.ts';
import { endedSteps } from './step-lines.ts';

const screens: Readonly<Record<Exclude<ScreenName, 'done'>, (props: ScreenProps) => React.ReactNode>> = {
  edit: Edit,
  cluster: Cluster,
  found: Found,
  foreign: Foreign,
  where: Where,
  access: Access,
  vpc: Vpc,
  policy: Policy,
  unverified: Unverified,
  review: ReviewScreen,
  confirm: Confirm,
  change: Change,
  publishing: Publishing,
  failed: Failed,
};

export interface AppProps {
  readonly session: Session;
  /** Ends the wizard: nothing more is to be done. */
  readonly leave: () => void;
  /** The screen is empty, and what stands at the end can be printed. */
  readonly onCleared: () => void;
}

export function App({ session, leave, onCleared }: AppProps) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const over = useSyncExternalStore(session.subscribe, session.isOver);
  const { dispatch, since, cancel } = session;
  const props: ScreenProps = { state, dispatch, since, cancel, leave };
  const { screen, key } = state.at;
  const frame = () => {
    if (over || screen === 'done') return <Cleared onCleared={onCleared} />;
    if (state.overlay && state.overlay !== 'help') return <Overlays {...props} overlay={state.overlay} />;
    const Screen = screens[screen];
    return (
      <Hearing on={!state.overlay}>
        <Screen key={`${screen} ${key ?? ''}`} {...props} />
      </Hearing>
    );
  };
  // Ink 6 reads freed memory when a <Static> is taken away, so this one stays.
  return (
    <>
      <StepList steps={endedSteps(state)} />
      {frame()}
    </>
  );
}

function Cleared({ onCleared }: Pick<AppProps, 'onCleared'>) {
  useEffect(onCleared, [onCleared]);
  return null;
}
