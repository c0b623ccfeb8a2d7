import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ConnectClient } from '../../views/connect-client/connect-client.tsx';
import classes from './documents/project-documents.module.css';
import { mcpContext } from './requests/mcp-context.ts';

/** Context of the project that AI clients receive, verbatim. */
export function ProjectMcpContext({ id }: { readonly id: number }) {
  const projectContext = useQuery(mcpContext(id));
  if (projectContext.isLoadingError)
    return <ProblemView error={projectContext.error} onRetry={() => void projectContext.refetch()} />;
  if (!projectContext.data) return <div aria-busy="true" />;
  const { context, isCut } = projectContext.data;
  return (
    <>
      <h2>Connect a client</h2>
      <ConnectClient projectId={id} />
      <h2>Context</h2>
      <p>
        An AI client that asks for the context of this project over MCP reads these {count(context.length)}{' '}
        characters, made from what it may see; this is what you may see.
        {isCut && ' The project holds more than fits: a client finds the rest by searching.'}
      </p>
      <div className="row">
        <CopyButton isWide label="Copy context" value={context} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls is scrolled by keyboard too. */}
      <pre className={classes['text']} tabIndex={0} role="document" aria-label="Context for AI clients">
        {context}
      </pre>
    </>
  );
}
