import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { createSavedView, deleteSavedView, type SavedView } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { hosted } from '../../lib/base.ts';
import { refusedParts } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { savedViews } from '../../requests/saved-views.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { Link } from '../../ui/frame/link.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './saved-views.module.css';

const nameLengthMax = 80;

/** Returns the filters and sorting of an address. The page number does not belong to a saved view. */
export function searchOf(state: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(state).filter(
    ([name, value]) => name !== 'page' && value !== undefined && value !== '',
  );
  return new URLSearchParams(
    parts.toSorted(([a], [b]) => a.localeCompare(b)) as [string, string][],
  ).toString();
}

/** Saved views of a list: open, share by link, save, delete. */
export function SavedViews({ list }: { readonly list: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover position="bottom-end" trapFocus opened={isOpen} onChange={setOpen}>
      <Hint label="Saved views">
        <Popover.Target>
          <ActionIcon aria-label="Saved views" onClick={() => setOpen(!isOpen)}>
            <Icon name="bookmark" />
          </ActionIcon>
        </Popover.Target>
      </Hint>
      <Popover.Dropdown aria-label="Saved views">
        {isOpen && <Views list={list} onClose={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({ list, onClose }: { readonly list: string; readonly onClose: () => void }) {
  const views = useQuery(savedViews(list));
  const items = views.data?.items;
  return (
    <div className={`stack-tight ${classes['views']}`}>
      <strong>Saved views</strong>
      <ProblemNote error={views.error} />
      {items?.length === 0 && (
        <p className="soft">None yet. A view is yours alone; its link is for anybody.</p>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={classes['list']}>
          {items.map((view) => (
            <View key={view.id} view={view} onClose={onClose} />
          ))}
        </ul>
      )}
      <SaveForm list={list} />
    </div>
  );
}

function View({ view, onClose }: { readonly view: SavedView; readonly onClose: () => void }) {
  const { pathname } = useLocation();
  const remove = useChange(deleteSavedView);
  const to = view.search === '' ? pathname : `${pathname}?${view.search}`;
  return (
    <li className={classes['view']}>
      <Link to={to} onClick={onClose}>
        {view.name}
      </Link>
      <CopyButton
        value={`${window.location.origin}${hosted('/svc')}${to}`}
        label={`Copy link to ${view.name}`}
      />
      <ActionIcon
        aria-label={`Delete ${view.name}`}
        loading={remove.isPending}
        onClick={() =>
          void remove
            .mutateAsync({ params: { id: view.id } })
            .then(() => toastDone(`The view “${view.name}” was deleted.`), toastProblem)
        }
      >
        <Icon name="trash" />
      </ActionIcon>
    </li>
  );
}

function SaveForm({ list }: { readonly list: string }) {
  const [state] = useAddress();
  const [name, setName] = useState('');
  const create = useChange(createSavedView);
  const search = searchOf(state);
  if (search === '') return <p className="soft">To save one, search, filter or sort the list first.</p>;
  const atName = refusedParts(create.error)['name'];
  const save = async () => {
    const view = await create
      .mutateAsync({ body: { list, name: name.trim(), search } })
      .catch(() => undefined);
    // The field shows the refusal.
    if (!view) return;
    setName('');
    toastDone(`The view “${view.name}” was saved.`);
  };
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void save();
      }}
    >
      {atName === undefined && <ProblemNote error={create.error} />}
      <TextInput
        label="Save what is shown now as"
        maxLength={nameLengthMax}
        value={name}
        error={atName}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" disabled={name.trim() === ''} loading={create.isPending}>
          Save view
        </Button>
      </div>
    </form>
  );
}
