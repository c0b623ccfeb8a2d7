import classes from './statement-text.module.css';

type Props = {
  readonly sql: string;
  /** Purpose of the statement, which distinguishes it from others on the page. */
  readonly about: string;
};

/** Read-only statement. */
export const StatementText = ({ sql, about }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by key
  <section className={classes['statement']} tabIndex={0} aria-label={`Statement: ${about}`}>
    {sql}
  </section>
);
