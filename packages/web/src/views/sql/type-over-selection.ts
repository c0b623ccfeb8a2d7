import { EditorView } from '@codemirror/view';

/**
 * Replaces a selection by the typed text with an editor transaction. The browser would wrap text typed over coloured
 * text in an element with an inline style. The page's policy blocks that style and logs an error, and the editor
 * removes the element anyway.
 */
export const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { main, ranges } = view.state.selection;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || main.empty || ranges.length > 1) return false;
    if (event.isComposing || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    // Input handlers, such as closing brackets, run first, as they do for native input.
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
