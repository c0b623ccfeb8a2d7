import { Button } from '@mantine/core';
import { Time } from '../text/time.tsx';
import classes from './conflict-note.module.css';

/** Part of a record that differs between two users. */
export type ConflictPart = { readonly label: string; readonly theirs: string; readonly yours: string };

type Props = {
  /** Kind of record: "query". */
  readonly what: string;
  readonly savedAt: string;
  readonly parts: readonly ConflictPart[];
  readonly isCopying: boolean;
  readonly onCopy: () => void;
  readonly onTake: () => void;
};

/** Shows that another user saved the record during the edit: the differences, and both ways to resolve them. */
export const ConflictNote = ({ what, savedAt, parts, isCopying, onCopy, onTake }: Props) => (
  <section className={classes['conflict']} role="alert" aria-label="Changed meanwhile">
    <p>
      <strong>Somebody else saved this {what}</strong> <Time at={savedAt} />. Yours is not saved.
    </p>
    {parts.map((part) => (
      <div key={part.label} className={classes['part']}>
        <div>
          {part.label}, theirs
          <Text>{part.theirs}</Text>
        </div>
        <div>
          {part.label}, yours
          <Text>{part.yours}</Text>
        </div>
      </div>
    ))}
    <div className="row wrap">
      <Button variant="filled" loading={isCopying} onClick={onCopy}>
        Keep mine as a copy
      </Button>
      <Button onClick={onTake}>Take theirs</Button>
    </div>
  </section>
);

const Text = ({ children }: { readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by key
  <pre tabIndex={0}>{children || 'Empty'}</pre>
);
