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

/** Letters after which a name of the schema is meant, and not only begun. */
const meantLetters = 2;

const choose = StateEffect.define<boolean>();

/** Whether the writer moved to an option of the list, as against the one that stands first by itself. */
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
 * Enter takes an option that was chosen, or a name of the schema of which two letters stand there. Everything else it
 * leaves alone, so that a line that ends in a short name of the writer's own ends as it was written.
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

/** The keys of the list of completions, which closes when the editor is left. */
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
