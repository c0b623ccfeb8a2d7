import { createProject, linkProjectDataSource } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../../access/use-rights.ts';
import { useChange } from '../../../lib/server-state.ts';
import { projects } from '../../../requests/projects.ts';
import { type ChosenProject, projectOf } from './project-choice.tsx';

/** Proposed name if no project exists yet. */
const firstProjectName = 'First project';

/** Choice of the project for the new data source, and the link to it. */
export function useProjectLink() {
  const { canWrite } = useRights();
  const list = useQuery({ ...projects({ pageSize: '200', sort: 'name' }), enabled: canWrite });
  const create = useChange(createProject);
  const link = useChange(linkProjectDataSource);
  const [selected, setSelected] = useState<ChosenProject | null>(null);
  const writable = (list.data?.items ?? []).filter((project) => project.right !== 'Read');
  // A single writable project is preselected.
  const onlyId = writable.length === 1 ? String(writable[0]?.id) : null;
  const choice = selected ?? { id: onlyId, newName: firstProjectName };

  const linkTo = async (dataSourceId: number) => {
    const project = canWrite ? projectOf(choice, writable.length > 0) : null;
    if (project === null) return;
    const id = 'id' in project ? project.id : (await create.mutateAsync({ body: project })).projectId;
    await link.mutateAsync({ params: { id }, body: { dataSourceId } });
  };
  return { writable, choice, choose: setSelected, linkTo };
}
