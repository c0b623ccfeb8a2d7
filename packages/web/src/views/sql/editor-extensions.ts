import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { styleNonce } from '../../lib/nonce.ts';
import { completionKeys } from './completion/completion-keys.ts';
import { editorTheme, sqlColours } from './editor-theme.ts';
import { typeOverSelection } from './type-over-selection.ts';

/** Action of the page that a key of the editor calls. */
export type EditorAction = 'onRun' | 'onSave' | 'onFormat' | 'onLeave';

type Setup = {
  readonly isReadOnly: boolean;
  /** False: the page handles the shortcut for saving. */
  readonly hasSaveKey: boolean;
  /** Extensions that the editor exchanges later. */
  readonly exchangeable: Extension;
  /** Returns the command for an action. */
  readonly commandOf: (action: EditorAction) => Command;
  readonly onText: (text: string) => void;
  /** Returns the present attributes of the text. */
  readonly attributes: () => Readonly<Record<string, string>>;
};

/** Returns the extensions of an editor. */
export const extensionsOf = (setup: Setup): Extension => [
  EditorView.cspNonce.of(styleNonce),
  typeOverSelection,
  completionKeys,
  keymap.of(keysOf(setup)),
  lineNumbers(),
  lintGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  sqlColours,
  editorTheme,
  setup.exchangeable,
  EditorState.readOnly.of(setup.isReadOnly),
  EditorView.editable.of(!setup.isReadOnly),
  EditorView.contentAttributes.of(() => setup.attributes()),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) setup.onText(update.state.doc.toString());
  }),
];

function keysOf({ hasSaveKey, commandOf }: Setup): readonly KeyBinding[] {
  const save: KeyBinding = { key: 'Mod-s', run: commandOf('onSave'), preventDefault: true };
  return [
    { key: 'Mod-Enter', run: commandOf('onRun'), preventDefault: true },
    ...(hasSaveKey ? [save] : []),
    { key: 'Shift-Alt-f', run: commandOf('onFormat'), preventDefault: true },
    ...closeBracketsKeymap,
    { key: 'Escape', run: commandOf('onLeave') },
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
  ];
}
