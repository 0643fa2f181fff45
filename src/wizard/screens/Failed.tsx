import { Text } from 'ink';
import * as words from '../words.ts';
import { chooseKeys, Frame, type ScreenProps, useRoom } from './frame.tsx';
import { TroubleMenu, TroubleNotice } from './Trouble.tsx';

/** A publication that failed or was cancelled: what was undone, what stands, and what now. */
export function Failed(props: ScreenProps) {
  const { state, dispatch } = props;
  const { question } = words.screens.failed;
  const room = useRoom(question, chooseKeys);
  const menu = Math.min(5, Math.max(2, room - 4));
  if (!state.failure) return null;
  return (
    <Frame state={state} dispatch={dispatch} question="" keys={chooseKeys}>
      <TroubleNotice trouble={state.failure} room={room - menu} />
      <Text bold>{question}</Text>
      <TroubleMenu {...props} trouble={state.failure} room={menu} />
    </Frame>
  );
}
