import {
  ChangeQueryFolderBody,
  CreateQueryFolderBody,
  changeQueryFolder,
  createQueryFolder,
  deleteQueryFolder,
  MoveQueriesBody,
  moveQueries,
  type QueryFolder,
  type QueryListItem,
} from '@svc/contract';
import { useForm } from '../../../lib/form.ts';
import { plural } from '../../../lib/format.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { findProjects } from '../../../requests/projects.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../../ui/form/confirm-dialog.tsx';
import { TextField } from '../../../ui/form/fields.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { FoundSelect, type Named } from '../../../ui/form/found-select.tsx';
import { findFolders } from '../requests/folders.ts';

const nameLengthMax = 200;
const nameLabel = 'Name';

/** Returns a folder for a field, with its path as its name. */
const byPath = ({ id, path }: QueryFolder): Named => ({ id, name: path });

type NewProps = {
  /** Folder in which the dialog starts. */
  readonly parent: QueryFolder | null;
  /** Project that filters the list, if the user has not selected a folder. */
  readonly project: Named | null;
  readonly onMade: (folder: QueryFolder) => void;
  readonly onClose: () => void;
};

/** Creates a folder, by default inside the selected folder. */
export function NewFolderDialog({ parent, project, onMade, onClose }: NewProps) {
  const create = useChange(createQueryFolder);
  const form = useForm({
    schema: CreateQueryFolderBody,
    initial: {
      name: '',
      projectId: parent ? { id: parent.projectId, name: parent.projectName } : project,
      parentId: parent && byPath(parent),
    },
    toBody: ({ name, projectId, parentId }) => ({
      name: name.trim(),
      projectId: projectId?.id,
      parentId: parentId?.id ?? null,
    }),
    send: async (body) => {
      onMade(await create.mutateAsync({ body }));
      onClose();
    },
  });
  const selectedProject = form.values.projectId;
  return (
    <FormDialog title="New folder" form={form} act="Create folder" onClose={onClose}>
      <TextField form={form} name="name" label={nameLabel} maxLength={nameLengthMax} data-autofocus />
      <FoundSelect
        label="Project"
        find={findProjects}
        admits={({ right }) => right !== 'Read'}
        value={selectedProject}
        onChange={(picked) => {
          form.set('projectId', picked);
          if (picked?.id !== selectedProject?.id) form.set('parentId', null);
        }}
        error={form.errorOf('projectId')}
      />
      {selectedProject && (
        <FoundSelect
          label="In the folder"
          description="Empty: at the top of the project."
          find={findFolders(selectedProject.id)}
          value={form.values.parentId}
          onChange={(picked) => form.set('parentId', picked)}
          error={form.errorOf('parentId')}
          clearable
        />
      )}
    </FormDialog>
  );
}

type FolderProps = { readonly folder: QueryFolder; readonly onClose: () => void };

/** Renames a folder or moves it inside its project. */
export function EditFolderDialog({
  folder,
  parent,
  onClose,
}: FolderProps & { readonly parent: QueryFolder | null }) {
  const change = useChange(changeQueryFolder, { headers: () => ifUnchanged(form.version) });
  const form = useForm({
    schema: ChangeQueryFolderBody,
    version: folder.version,
    initial: { name: folder.name, parentId: parent && byPath(parent) },
    toBody: ({ name, parentId }) => ({ name: name.trim(), parentId: parentId?.id ?? null }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: folder.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title="Rename or move folder" form={form} act="Save folder" onClose={onClose}>
      <TextField form={form} name="name" label={nameLabel} maxLength={nameLengthMax} data-autofocus />
      <FoundSelect
        label="In the folder"
        description="Empty: at the top of the project. What is in the folder goes with it."
        find={findFolders(folder.projectId)}
        value={form.values.parentId}
        onChange={(picked) => form.set('parentId', picked)}
        error={form.errorOf('parentId')}
        clearable
      />
    </FormDialog>
  );
}

/** Deletes a folder. Its contents move one level up. */
export function DeleteFolderDialog({
  folder,
  onDeleted,
  onClose,
}: FolderProps & { readonly onDeleted: () => void }) {
  const remove = useChange(deleteQueryFolder, { headers: () => ifUnchanged(folder.version) });
  return (
    <ConfirmDialog
      title={`Delete the folder ${folder.name}?`}
      act="Delete folder"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: folder.id }, query: { moveContents: true } });
        onDeleted();
      }}
      onClose={onClose}
    >
      No query is deleted: the queries and folders in it move to where the folder stands.
    </ConfirmDialog>
  );
}

type MoveProps = {
  /** Queries of one project. */
  readonly queries: readonly QueryListItem[];
  readonly onMoved: () => void;
  readonly onClose: () => void;
};

/** Moves queries into a folder of their project, or out of all folders. */
export function MoveQueriesDialog({ queries, onMoved, onClose }: MoveProps) {
  const move = useChange(moveQueries);
  const form = useForm({
    schema: MoveQueriesBody,
    initial: { folderId: null as Named | null },
    toBody: ({ folderId }) => ({ queryIds: queries.map(({ id }) => id), folderId: folderId?.id ?? null }),
    send: async (body) => {
      await move.mutateAsync({ body });
      toastDone(`${plural(queries.length, 'query is', 'queries are')} moved.`);
      onMoved();
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Move ${plural(queries.length, 'query', 'queries')}`}
      form={form}
      act={queries.length === 1 ? 'Move query' : 'Move queries'}
      onClose={onClose}
    >
      <FoundSelect
        label="To the folder"
        description="Empty: out of all folders."
        find={findFolders(queries[0]?.projectId)}
        value={form.values.folderId}
        onChange={(picked) => form.set('folderId', picked)}
        error={form.errorOf('folderId')}
        clearable
        data-autofocus
      />
    </FormDialog>
  );
}
