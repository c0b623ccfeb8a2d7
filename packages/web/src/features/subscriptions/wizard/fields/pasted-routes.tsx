import { Button, Textarea } from '@mantine/core';
import type { RowRoute } from '@svc/contract';
import { useState } from 'react';
import { plural } from '../../../../lib/format.ts';
import { type Pasted, readPasted } from './routing.ts';

/** Maximum number of pasted lines whose error is shown. */
const problemsShown = 5;

type Props = {
  readonly recipients: Parameters<typeof readPasted>[1];
  readonly onPasted: (routes: readonly RowRoute[]) => void;
};

/** Creates many routes from two columns that the user copied from a spreadsheet. */
export function PastedRoutes({ recipients, onPasted }: Props) {
  const [text, setText] = useState('');
  const [last, setLast] = useState<Pasted | null>(null);
  const take = () => {
    const pasted = readPasted(text, recipients);
    setLast(pasted);
    onPasted(pasted.routes);
    setText(pasted.left.join('\n'));
  };
  const more = (last?.problems.length ?? 0) - problemsShown;
  return (
    <div className="stack-tight">
      <Textarea
        label="Paste many (optional)"
        description="A line each: the value, a tab, the name of the recipient. Two columns of a spreadsheet come like this."
        placeholder={'north\tTeam North'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setLast(null);
        }}
      />
      <div>
        <Button disabled={text.trim() === ''} onClick={take}>
          Add these lines
        </Button>
      </div>
      <span role="status" className="soft">
        {last !== null && last.routes.length > 0 && `${plural(last.routes.length, 'line')} added.`}
      </span>
      {last !== null && last.problems.length > 0 && (
        <div role="alert">
          <ul>
            {last.problems.slice(0, problemsShown).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
            {more > 0 && <li>{plural(more, 'more line')} could not be read.</li>}
          </ul>
        </div>
      )}
    </div>
  );
}
