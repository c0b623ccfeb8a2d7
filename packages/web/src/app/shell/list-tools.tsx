import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';

const part = later(() => import('../../views/lists/saved-views.tsx').then((module) => module.SavedViews));
/** Placeholder with the width of the button, so that the layout does not shift when the button appears. */
const place = <span style={{ width: 32, height: 32 }} />;

/** Saved views, next to the columns of every list. Their code loads after the list. */
export const SavedViewsTool = ({ list }: { readonly list: string }) => (
  <LazyPart code={part} fallback={place} onMissing={() => undefined}>
    {(SavedViews) => <SavedViews list={list} />}
  </LazyPart>
);
