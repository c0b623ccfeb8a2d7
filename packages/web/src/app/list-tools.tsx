import { LazyPart, later } from '../ui/feedback/lazy-part.tsx';

const part = later(() => import('../views/lists/saved-views.tsx').then((module) => module.SavedViews));
/** As wide as the button, so that nothing moves when it comes. */
const place = <span style={{ width: 32, height: 32 }} />;

/** Saved views, beside the columns of every list. Their code comes after the list itself. */
export const SavedViewsTool = ({ list }: { readonly list: string }) => (
  <LazyPart code={part} fallback={place} onMissing={() => undefined}>
    {(SavedViews) => <SavedViews list={list} />}
  </LazyPart>
);
