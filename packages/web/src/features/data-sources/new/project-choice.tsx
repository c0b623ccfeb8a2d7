import { Select, TextInput } from '@mantine/core';
import type { Project } from '@svc/contract';

/** Project that may use the new data source: an existing project, or a new one. */
export type ChosenProject = { readonly id: string | null; readonly newName: string };

type Props = {
  /** Projects that the user may link it to. */
  readonly projects: readonly Pick<Project, 'id' | 'name'>[];
  readonly value: ChosenProject;
  readonly onChange: (project: ChosenProject) => void;
};

const toMake = 'new';

/** Choice of the project that may use the data source. Without existing projects, only a name is required. */
export function ProjectChoice({ projects, value, onChange }: Props) {
  const isNew = projects.length === 0 || value.id === toMake;
  return (
    <>
      {projects.length > 0 && (
        <Select
          label="Project that may use it (optional)"
          description="Queries of a project read the data sources that are linked to it."
          placeholder="None yet"
          data={[
            ...projects.map((project) => ({ value: String(project.id), label: project.name })),
            { value: toMake, label: 'A new project' },
          ]}
          value={value.id}
          onChange={(id) => onChange({ ...value, id })}
          clearable
        />
      )}
      {isNew && (
        <TextInput
          label={projects.length === 0 ? 'Project that may use it (optional)' : 'Name of the new project'}
          description={
            projects.length === 0
              ? 'Queries live in projects. There is none yet: one with this name is created.'
              : undefined
          }
          value={value.newName}
          maxLength={200}
          onChange={(event) => onChange({ ...value, newName: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** Returns the id of an existing project, the name of a new one, or neither. */
export function projectOf(
  { id, newName }: ChosenProject,
  hasProjects: boolean,
): { readonly id: number } | { readonly name: string } | null {
  if (hasProjects && id !== toMake) return id === null ? null : { id: Number(id) };
  return newName.trim() === '' ? null : { name: newName.trim() };
}
