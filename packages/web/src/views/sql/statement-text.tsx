import classes from './statement-text.module.css';

type Props = {
  readonly sql: string;
  /** What the statement is for, which tells it from others on the page. */
  readonly about: string;
};

/** A statement to read. */
export const StatementText = ({ sql, about }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by key
  <section className={classes['statement']} tabIndex={0} aria-label={`Statement: ${about}`}>
    {sql}
  </section>
);
