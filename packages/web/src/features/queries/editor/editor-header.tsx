import { Button } from '@mantine/core';
import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { paths } from '../../../lib/paths.ts';
import { findProjects, project } from '../../../requests/projects.ts';
import { FoundSelect } from '../../../ui/form/found-select.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { LinkButton } from '../../../ui/frame/link-button.tsx';
import { Status } from '../../../ui/record/status.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { ManagedBadge } from '../../../views/managed/managed-badge.tsx';
import type { Draft } from '../../../views/query-run/draft.ts';
import classes from './query-editor.module.css';
import type { useSave } from './saving/use-save.ts';

type HeaderProps = {
  readonly draft: Draft;
  readonly saved: Query | null;
  readonly save: ReturnType<typeof useSave>;
  readonly onName: (name: string) => void;
  readonly onProject: (id: number | null) => void;
  readonly onSave: () => void;
  readonly onSaveAndSubscribe: () => void;
  /** Receives the save button, to which Escape moves the focus from the text. */
  readonly saveButton: Ref<HTMLButtonElement>;
};

/** Header of the editor: name, project, state of the text, and save actions. */
export function EditorHeader(props: HeaderProps) {
  const { draft, saved, save, onName, onProject, onSave, onSaveAndSubscribe, saveButton } = props;
  const { isUnapproved } = save;
  const selected = useQuery({
    ...project(draft.projectId ?? 0),
    enabled: draft.projectId !== null && !saved,
  });
  return (
    <header className={classes['header']}>
      <h1 id="page-title" tabIndex={-1} className="visually-hidden">
        {saved ? `Edit ${saved.name}` : 'New query'}
      </h1>
      <nav aria-label="Breadcrumb" className="soft row" style={{ gap: 6 }}>
        <Icon name="left" size={12} />
        <Link to={paths.queries()}>Queries</Link>
      </nav>
      <input
        aria-label="Name of the query"
        placeholder="Name this query"
        className={classes['name']}
        value={draft.name}
        aria-invalid={save.nameError !== undefined}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      {saved ? (
        <>
          <Link to={paths.project(saved.projectId)}>{saved.projectName}</Link>
          <ManagedBadge kind="Query" id={saved.id} />
        </>
      ) : (
        <FoundSelect
          aria-label="Project"
          placeholder="Project"
          find={findProjects}
          admits={({ right }) => right !== 'Read'}
          value={selected.data && draft.projectId !== null ? selected.data : null}
          onChange={(picked) => onProject(picked?.id ?? null)}
          leftSection={<Icon name="project" size={14} />}
          w={200}
        />
      )}
      <span className="grow" />
      <span role="status">
        <SaveState saved={saved} save={save} />
      </span>
      {saved && !save.isDirty && !isUnapproved ? (
        <LinkButton to={paths.subscriptions({ new: 'yes', queryId: saved.id })}>Subscribe</LinkButton>
      ) : (
        <Button onClick={onSaveAndSubscribe} disabled={save.isSaving}>
          Save and subscribe
        </Button>
      )}
      <Button
        id="editor-save"
        ref={saveButton}
        onClick={onSave}
        loading={save.isSaving}
        disabled={!save.isDirty && !isUnapproved}
      >
        Save
      </Button>
    </header>
  );
}

/** State of the text: not saved, waiting for approval, not approved, or saved. */
function SaveState({ saved, save }: Pick<HeaderProps, 'saved' | 'save'>) {
  if (save.isDirty) return <Status tone="amber">Not saved</Status>;
  if (saved === null) return null;
  const isFirst = saved.versionNumber === null && saved.pendingVersion !== null;
  if (save.isWaiting || isFirst) return <Status tone="amber">Waiting for approval</Status>;
  if (save.isUnapproved) return <Status tone="amber">Not approved</Status>;
  return <Status tone="green">Saved</Status>;
}
