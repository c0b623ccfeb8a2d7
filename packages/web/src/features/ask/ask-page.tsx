import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { llmStatus } from '../../requests/llm.ts';
import { findProjects, project, projects } from '../../requests/projects.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { FoundSelect } from '../../ui/form/found-select.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { AnswerCard } from './answer-card.tsx';
import classes from './ask.module.css';
import { QuestionForm } from './question-form.tsx';
import { conversation, conversations, ownUsage } from './requests/ask.ts';

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Page for questions in plain language about the data of a project. */
export function AskPage() {
  const [address, change] = useAddress();
  const first = useQuery(projects({ pageSize: '1', sort: 'name' }));
  const projectId = numberOf(address['project']);
  const named = useQuery({ ...project(projectId ?? 0), enabled: projectId !== null });
  const selectedProject = projectId === null ? (first.data?.items[0] ?? null) : (named.data ?? null);
  const talk = numberOf(address['conversation']);
  const refused = first.isLoadingError ? first : named.isLoadingError ? named : null;
  return (
    <>
      <PageHeader
        title="Ask"
        hasHelp
        actions={
          selectedProject &&
          talk !== null && (
            <LinkButton to={paths.ask({ project: selectedProject.id })}>New conversation</LinkButton>
          )
        }
      />
      <div className="stack" style={{ gap: 16 }}>
        <p className="soft" style={{ maxWidth: 720 }}>
          Ask about the data of a project. The answer is a statement that only reads, with its rows; personal
          data is masked. Rows go to the language model only when you have an answer explained.
        </p>
        <FoundSelect
          label="Project"
          w="100%"
          maw={320}
          find={findProjects}
          value={selectedProject}
          allowDeselect={false}
          onChange={(picked) =>
            change({ project: picked ? String(picked.id) : undefined, conversation: undefined })
          }
        />
        <Model />
        {refused && <ProblemView error={refused.error} onRetry={() => void refused.refetch()} />}
        {first.data && first.data.totalCount === 0 && (
          <p>You read no project yet. Create one, or ask to be added to one.</p>
        )}
        {selectedProject && (
          <div className={classes['page']}>
            <Talk
              key={`${selectedProject.id}/${talk}`}
              projectId={selectedProject.id}
              id={talk}
              onBegun={(id) =>
                change({ project: String(selectedProject.id), conversation: String(id) }, { push: true })
              }
            />
            <Earlier projectId={selectedProject.id} />
          </div>
        )}
      </div>
    </>
  );
}

/** Reason why the model cannot answer, and the user's own usage. */
function Model() {
  const { data: status } = useQuery(llmStatus);
  const { data: used } = useQuery(ownUsage);
  return (
    <>
      {status !== undefined && status.state !== 'Ready' && (
        <p className="notice">
          <Icon name="warning" />
          <span>{status.detail} Questions with a checked answer still work.</span>
        </p>
      )}
      {used !== undefined && used.today.spent > 0 && (
        <p className="soft">
          You used {count(used.today.spent)} of {plural(used.today.limit ?? 0, 'token')} today.
        </p>
      )}
    </>
  );
}

type TalkProps = {
  readonly projectId: number;
  /** Null: the next question starts a conversation. */
  readonly id: number | null;
  readonly onBegun: (id: number) => void;
};

function Talk({ projectId, id, onBegun }: TalkProps) {
  const talk = useQuery({ ...conversation(id ?? 0), enabled: id !== null });
  if (talk.isLoadingError) return <ProblemView error={talk.error} onRetry={() => void talk.refetch()} />;
  const answers = talk.data?.answers ?? [];
  return (
    <section aria-label="Conversation" className={classes['talk']}>
      {answers.map(({ id: answerId }) => (
        <AnswerCard key={answerId} id={answerId} />
      ))}
      <QuestionForm
        projectId={projectId}
        conversationId={id}
        isFirst={answers.length === 0}
        lastSourceId={answers.at(-1)?.dataSourceId ?? null}
        onBegun={onBegun}
      />
    </section>
  );
}

/** Earlier conversations of the user in the project. */
function Earlier({ projectId }: { readonly projectId: number }) {
  const list = useQuery(conversations(projectId));
  const answered = list.data?.items.filter(({ answerCount }) => answerCount > 0) ?? [];
  if (answered.length === 0) return null;
  return (
    <section className="stack-tight" aria-label="Your conversations">
      <h2>Your conversations</h2>
      <ul className={classes['list']}>
        {answered.map(({ id, title, answerCount }) => (
          <li key={id}>
            <div className="truncate">
              <Link to={paths.ask({ project: projectId, conversation: id })}>{title}</Link>
            </div>
            <span className="soft">{plural(answerCount, 'question')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
