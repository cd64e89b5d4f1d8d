/**
 * A payload as text that is written while it is made, for responses of any length in bounded memory: JSON within the envelope, or, with a
 * content type of its own, a body without one.
 */
export class StreamedPayload {
  private constructor(
    private readonly first: string | Buffer,
    private readonly rest: AsyncIterator<string | Buffer>,
    /** Of a body without the envelope; undefined for JSON within it. */
    readonly contentType: string | undefined,
    /** Under which browsers keep such a body. */
    readonly fileName: string | undefined,
  ) {}

  /** Makes its first part, so that what is refused still gets the error envelope. */
  static async open(
    parts: AsyncIterable<string | Buffer>,
    contentType?: string,
    fileName?: string,
  ): Promise<StreamedPayload> {
    const rest = parts[Symbol.asyncIterator]();
    const first = await rest.next();
    return new StreamedPayload(first.done ? '' : first.value, rest, contentType, fileName);
  }

  /** Its text, once. */
  async *parts(): AsyncGenerator<string | Buffer> {
    try {
      yield this.first;
      for (let part = await this.rest.next(); !part.done; part = await this.rest.next()) yield part.value;
    } finally {
      // A caller that leaves ends what makes the rest as well.
      await this.rest.return?.();
    }
  }

  /** Ends it without its text, for who will not send it. */
  async discard(): Promise<void> {
    await this.rest.return?.();
  }

  /** The whole of it as a value, for who must look at it. */
  async read(): Promise<unknown> {
    let text = '';
    for await (const part of this.parts()) text += part.toString();
    return JSON.parse(text) as unknown;
  }
}
