import { Button } from '@mantine/core';
import { linkProjectDataSource } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { dataSource } from '../../requests/data-sources.ts';
import { findProjects } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { FoundSelect, type Named } from '../../ui/form/found-select.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';

const page = { title: 'New query', parent: { to: paths.queries(), label: 'Queries' } };

/** Replaces the editor for a user who may not write in any project. */
export function NoProject() {
  return (
    <FlowPage
      {...page}
      intro="A query belongs to a project, and there is none yet that you can write in. Create one, or ask a project's administrators to add you as an editor."
    >
      <div>
        <LinkButton to={paths.newProject()} variant="filled">
          New project
        </LinkButton>
      </div>
    </FlowPage>
  );
}

type Props = {
  readonly sourceId: number;
  /** Project to link to, if the user has only one choice. */
  readonly firstProject: Named | null;
};

/** Replaces the editor for a data source that is not linked to a project of the user. The user links it first. */
export function UnlinkedSource({ sourceId, firstProject }: Props) {
  const source = useQuery(dataSource(sourceId));
  const link = useChange(linkProjectDataSource, { touches: ['data-sources'] });
  const [project, setProject] = useState(firstProject);
  const name = source.data?.name ?? 'This data source';
  return (
    <FlowPage
      {...page}
      intro={`Queries of a project read the data sources that are linked to it. ${name} is linked to none that you can write in.`}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // After the link, the list of projects reloads and the editor replaces this page.
          if (project)
            void link
              .mutateAsync({ params: { id: project.id }, body: { dataSourceId: sourceId } })
              .catch(() => undefined);
        }}
      >
        <ProblemNote error={link.error} />
        <FoundSelect
          label="Project"
          placeholder="Find a project"
          find={findProjects}
          admits={({ right }) => right !== 'Read'}
          value={project}
          onChange={setProject}
        />
        <div className="row wrap">
          <Button type="submit" variant="filled" disabled={project === null} loading={link.isPending}>
            Link and write a query
          </Button>
          <LinkButton to={paths.newProject()}>New project</LinkButton>
        </div>
      </form>
    </FlowPage>
  );
}
