import { startCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

/** State of the plain field at its replacement by the editor. */
export type FieldState = {
  readonly anchor: number;
  readonly head: number;
  readonly isFocused: boolean;
  readonly scrollTop: number;
  readonly scrollLeft: number;
  /** True if the last key opens the completion list in the editor: its shortcut, or a letter of a name. */
  readonly hasListRequest: boolean;
};

/** Restores selection, focus, scroll position and completion list of the replaced field. */
export function restoreField(
  editor: EditorView,
  { anchor, head, isFocused, scrollTop, scrollLeft, hasListRequest }: FieldState,
): void {
  const { length } = editor.state.doc;
  editor.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
  if (isFocused) editor.focus();
  editor.scrollDOM.scrollTo(scrollLeft, scrollTop);
  if (isFocused && hasListRequest) startCompletion(editor);
}
