import {
  acceptCompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';

/** Minimum number of letters from which Enter accepts a name of the schema. */
const meantLetters = 2;

const choose = StateEffect.define<boolean>();

/** True if the user moved to an option of the list. The first option is selected by default. */
const isChosen = StateField.define<boolean>({
  create: () => false,
  update: (before, transaction) => {
    if (transaction.docChanged) return false;
    return transaction.effects.reduce((now, effect) => (effect.is(choose) ? effect.value : now), before);
  },
});

const moving =
  (move: Command): Command =>
  (view) => {
    const hasMoved = move(view);
    if (hasMoved) view.dispatch({ effects: choose.of(true) });
    return hasMoved;
  };

/**
 * Accepts an option to which the user moved, or a name of the schema after two typed letters. Otherwise Enter inserts a
 * line break, so that a short alias at the end of a line remains unchanged.
 */
const enter: Command = (view) => {
  if (completionStatus(view.state) !== 'active') return false;
  const option = selectedCompletion(view.state);
  const { head } = view.state.selection.main;
  const before = view.state.sliceDoc(view.state.doc.lineAt(head).from, head);
  const typed = /\w*$/.exec(before)?.[0] ?? '';
  const isWhole = option !== null && String(option.apply ?? option.label) === typed;
  const isMeant = option?.type !== 'keyword' && typed.length >= meantLetters && !isWhole;
  if (view.state.field(isChosen) || isMeant) return acceptCompletion(view);
  closeCompletion(view);
  return false;
};

/** Keys of the completion list. The list closes when the editor loses the focus. */
export const completionKeys: Extension = [
  isChosen,
  Prec.highest(
    keymap.of([
      { key: 'Ctrl-Space', run: startCompletion },
      { mac: 'Alt-`', run: startCompletion },
      { mac: 'Alt-i', run: startCompletion },
      { key: 'Escape', run: closeCompletion },
      { key: 'ArrowDown', run: moving(moveCompletionSelection(true)) },
      { key: 'ArrowUp', run: moving(moveCompletionSelection(false)) },
      { key: 'PageDown', run: moving(moveCompletionSelection(true, 'page')) },
      { key: 'PageUp', run: moving(moveCompletionSelection(false, 'page')) },
      { key: 'Enter', run: enter },
    ]),
  ),
  EditorView.domEventHandlers({
    blur: (_event, view) => {
      closeCompletion(view);
    },
  }),
];
