import type { Query } from '@svc/contract';
import { ConflictNote, type ConflictPart } from '../../../../ui/form/conflict-note.tsx';
import { type Draft, draftOf } from '../../../../views/query-run/draft.ts';
import { useCopy } from './use-copy.ts';
import type { useSave } from './use-save.ts';

/** Returns the parts that differ between two drafts of a query. */
function difference(theirs: Draft, yours: Draft): readonly ConflictPart[] {
  const steps = Math.max(theirs.steps.length, yours.steps.length);
  const stepText = (draft: Draft, at: number) => draft.steps[at]?.sql ?? '';
  const parameters = (draft: Draft) =>
    draft.parameters.map((each) => `${each.name}: ${each.type}`).join('\n');
  const parts: readonly ConflictPart[] = [
    { label: 'Name', theirs: theirs.name, yours: yours.name },
    { label: 'Description', theirs: theirs.description, yours: yours.description },
    ...Array.from({ length: steps }, (_, at) => ({
      label: steps === 1 ? 'SQL' : `SQL of step ${at + 1}`,
      theirs: stepText(theirs, at),
      yours: stepText(yours, at),
    })),
    { label: 'Final query', theirs: theirs.finalQuery ?? '', yours: yours.finalQuery ?? '' },
    { label: 'Parameters', theirs: parameters(theirs), yours: parameters(yours) },
  ];
  return parts.filter((part) => part.theirs !== part.yours);
}

type Props = {
  /** Version that another user saved. */
  readonly newest: Query;
  readonly draft: Draft;
  readonly save: ReturnType<typeof useSave>;
  readonly onTake: (theirs: Draft) => void;
};

/** Shows the differences to the version of another user, and both ways to resolve the conflict. */
export function Conflict({ newest, draft, save, onTake }: Props) {
  const copying = useCopy(save);
  const theirs = draftOf(newest);
  const take = () => {
    save.adopt(newest);
    onTake(theirs);
  };
  return (
    <ConflictNote
      what="query"
      savedAt={newest.updatedAt}
      parts={difference(theirs, draft)}
      {...copying}
      onTake={take}
    />
  );
}
