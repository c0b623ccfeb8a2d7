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

/** Selected recipient. */
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

/** Maximum number of visible recipients, so that the Tab key passes them quickly. */
const offered = 8;
const typingMs = 150;

/** Selects recipients: shows the selected ones, and those whose name matches the search. */
export function RecipientPicker({ value, onChange }: Props) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const matches = useQuery({
    ...recipients({ pageSize: String(offered), sort: 'name', ...(search !== '' && { search }) }),
    placeholderData: keepPreviousData,
  });
  const isPicked = (id: number) => value.some((picked) => picked.id === id);
  const toggle = (recipient: PickedRecipient) =>
    onChange(
      isPicked(recipient.id) ? value.filter((picked) => picked.id !== recipient.id) : [...value, recipient],
    );
  // Selected recipients that the present page of results does not contain are shown first.
  const items: readonly PickedRecipient[] = matches.data?.items ?? [];
  const elsewhere = value.filter((picked) => !items.some((item) => item.id === picked.id));
  const total = matches.data?.totalCount ?? 0;
  // The search field remains after its first appearance, so that the user does not lose it during the next request.
  const wasSearched = useRef(false);
  wasSearched.current ||= text !== '' || total > offered;
  const isSearched = wasSearched.current;
  if (matches.isSuccess && total === 0 && value.length === 0 && !isSearched) return <NoRecipients />;
  return (
    <fieldset className={classes['frame']}>
      <legend className="visually-hidden">Recipients</legend>
      <ProblemNote error={matches.error} />
      {isSearched && (
        <TextInput
          aria-label="Find a recipient"
          placeholder="Find a recipient by name"
          leftSection={<Icon name="search" size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter must not submit the step while the user searches.
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

/** Empty state, without any recipient to select. */
function NoRecipients() {
  const canAdd = holds(useRights(), 'SecurityAdmin');
  return (
    <div className={classes['none']}>
      <p>
        No recipients yet. A recipient is an email address, a chat, an issue tracker or a webhook that gets
        the alerts.
      </p>
      {canAdd ? (
        // A new tab retains the input on this page. The new recipient is listed after the user returns.
        <a href={hosted(`/svc${paths.recipients({ new: 'yes' })}`)} target="_blank" rel="noreferrer">
          New recipient
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
