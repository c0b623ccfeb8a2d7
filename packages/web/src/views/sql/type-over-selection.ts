import { EditorView } from '@codemirror/view';

/**
 * Puts typed text in place of a selection by the editor's own means. Left to the browser, text typed over coloured
 * text is wrapped in an element with an inline style, so that it keeps its colour; the page's policy stops that
 * style, with a line in the console, and the editor takes the element out again anyway.
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
    // Closing brackets and the like look at what is typed first, as they do for the browser's own input.
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
