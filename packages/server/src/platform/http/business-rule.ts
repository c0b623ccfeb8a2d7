/**
 * A rule of the business that a request broke, thrown where no status of its own fits. How it is answered is the
 * host's decision, by its error mapping; without one it is an unexpected error.
 */
export class BusinessRuleError extends Error {
  override readonly name = 'BusinessRuleError';
  /** True for a rule of the domain; false for an operation that is not possible in the present state. */
  readonly isDomainRule: boolean;

  constructor(message: string, options: { isDomainRule?: boolean } = {}) {
    super(message);
    this.isDomainRule = options.isDomainRule ?? true;
  }
}
