import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { NotificationType, RecipientState } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { hosted } from '../../lib/base.ts';
import { count, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { recipients } from '../../requests/recipients.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './recipient-picker.module.css';

/** A recipient as it is picked. */
export type PickedRecipient = {
  readonly id: number;
  readonly name: string;
  readonly notificationType: NotificationType;
  readonly state: RecipientState;
};

type Props = {
  readonly value: readonly PickedRecipient[];
  readonly onChange: (value: readonly PickedRecipient[]) => void;
};

/** Recipients that are offered at once: few enough to be passed by Tab. */
const offered = 8;
const typingMs = 150;

/** Picks recipients: those that are picked, and those that the service finds by a part of their name. */
export function RecipientPicker({ value, onChange }: Props) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const found = useQuery({
    ...recipients({ pageSize: String(offered), sort: 'name', ...(search !== '' && { search }) }),
    placeholderData: keepPreviousData,
  });
  const isPicked = (id: number) => value.some((picked) => picked.id === id);
  const toggle = (recipient: PickedRecipient) =>
    onChange(
      isPicked(recipient.id) ? value.filter((picked) => picked.id !== recipient.id) : [...value, recipient],
    );
  // Those that stood here when they were picked stay in their place.
  const items: readonly PickedRecipient[] = found.data?.items ?? [];
  const elsewhere = value.filter((picked) => !items.some((item) => item.id === picked.id));
  const total = found.data?.totalCount ?? 0;
  // The field stays once it is there: while the next answer is on its way, nobody loses their place.
  const wasSearched = useRef(false);
  wasSearched.current ||= text !== '' || total > offered;
  const isSearched = wasSearched.current;
  if (found.isSuccess && total === 0 && value.length === 0 && !isSearched) return <NoRecipients />;
  return (
    <fieldset className={classes['frame']}>
      <legend className="visually-hidden">Recipients</legend>
      <ProblemNote error={found.error} />
      {isSearched && (
        <TextInput
          aria-label="Find a recipient"
          placeholder="Find a recipient by name"
          leftSection={<Icon name="search" size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter is not the form's here: nothing was answered yet.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      )}
      {[...elsewhere, ...items].map((recipient) => (
        <Checkbox
          key={recipient.id}
          label={recipient.name}
          description={describe(recipient)}
          checked={isPicked(recipient.id)}
          onChange={() => toggle(recipient)}
        />
      ))}
      {isSearched && (
        <p className="soft" role="status">
          {total === 0
            ? 'No matching recipient.'
            : total > items.length
              ? `${count(items.length)} of ${count(total)} shown. Type a part of a name to find the others.`
              : `${count(total)} found.`}
        </p>
      )}
    </fieldset>
  );
}

/** Where there is nobody to pick yet. */
function NoRecipients() {
  const canAdd = holds(useRights(), 'SecurityAdmin');
  return (
    <div className={classes['none']}>
      <p>
        No recipients yet. A recipient is an email address, a chat, an issue tracker or a webhook that gets
        the alerts.
      </p>
      {canAdd ? (
        // Beside this page: what was entered here stays, and the new one is found on coming back.
        <a href={hosted(`/svc${paths.recipients({ new: 'yes' })}`)} target="_blank" rel="noreferrer">
          Add a recipient
        </a>
      ) : (
        <p className="soft">Somebody with the permission SecurityAdmin adds them under Recipients.</p>
      )}
    </div>
  );
}

const describe = ({ state, notificationType }: PickedRecipient): string =>
  state === 'Approved'
    ? words(notificationType)
    : `${words(notificationType)}, gets nothing until it is approved`;
