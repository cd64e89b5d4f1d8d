import { FakeIdentity, identityPartner } from '@reseller/contract-testing';
import { StatementEmailStatus } from '@reseller/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { Readable } from 'node:stream';
import { EmailRepository } from '../src/statement/email/email.repository';
import { createMailServer } from '../src/statement/email/mail-server';
import { newPartner, startFinanceService, type FinanceService, type TestPartner } from './finance-service';
import { startMailbox, type Mailbox } from './mailbox';

let identity: FakeIdentity;
let mailbox: Mailbox;
let finance: FinanceService;

beforeAll(async () => {
  identity = await new FakeIdentity().start();
  mailbox = await startMailbox();
  finance = await startFinanceService({
    IDENTITY_ADDRESS: identity.address,
    SMTP_URL: mailbox.url,
    SMTP_FROM: 'billing@platform.example',
    STATEMENT_EMAIL_RETRY_MS: '20',
  });
});
afterAll(async () => {
  await finance.stop();
  await mailbox.stop();
  await identity.stop();
});
beforeEach(() => {
  mailbox.mails.length = 0;
  mailbox.refuse.next = 0;
  mailbox.refuse.count = 0;
});

async function makeStatement(billingEmail: string | undefined) {
  const partner = newPartner();
  const details = identityPartner(partner.partnerId, { name: 'Acme Trading', billingEmail });
  identity.partners.set(partner.partnerId, details);
  await finance.wallets.openWallet(partner.ref, partner.call);
  await finance.wallets.creditWallet(
    { ...partner.ref, amount: '1234.50', notes: 'Überweisung — دفعة', idempotencyKey: 'k' },
    partner.call,
  );
  const { statement } = await finance.statementOperations.createStatement(
    { ...partner.ref, periodFromAt: new Date('2026-01-01'), periodToAt: new Date() },
    partner.call,
  );
  return { partner, statement: statement! };
}

const read = async (partner: TestPartner, statementId: string) =>
  (await finance.statements.getStatement({ statementId }, partner.call)).statement!;

async function untilIs(partner: TestPartner, id: string, status: StatementEmailStatus) {
  await eventually(async () => expect((await read(partner, id)).emailStatus).toBe(status));
  return read(partner, id);
}

describe('a statement’s e-mail (spec §9.3)', () => {
  it('when the partner has a billing address, then the PDF arrives there and the statement says when', async () => {
    const { partner, statement } = await makeStatement('bills@acme.example');
    const sent = await untilIs(partner, statement.id, StatementEmailStatus.SENT);
    expect(sent.emailStatusReason).toBeUndefined();
    expect(sent.emailSentAt).toBeInstanceOf(Date);
    expect(sent.document).toEqual(statement.document);
    const [mail] = mailbox.mails;
    expect(mailbox.mails).toHaveLength(1);
    expect(mail?.to).toMatchObject([{ address: 'bills@acme.example' }]);
    expect(mail?.from).toMatchObject({ address: 'billing@platform.example' });
    expect(mail?.subject).toBe(`Billing statement ${statement.document?.statementNumber}`);
    expect(mail?.text).toContain('Closing balance: 1234.50 SAR');
    expect(mail?.text).toContain('not a legal tax invoice');
    const [pdf] = mail?.attachments ?? [];
    expect([pdf?.filename, pdf?.mimeType]).toEqual([
      `${statement.document?.statementNumber}.pdf`,
      'application/pdf',
    ]);
    const bytes = Buffer.from(pdf?.content as ArrayBuffer);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
  });

  it('when the partner has no billing address, then it is skipped at once', async () => {
    const { statement } = await makeStatement(undefined);
    expect([statement.emailStatus, statement.emailStatusReason]).toEqual([
      StatementEmailStatus.SKIPPED,
      'The partner has no billing address',
    ]);
  });

  it('when the server refuses twice, then the third try is sent', async () => {
    mailbox.refuse.next = 2;
    const { partner, statement } = await makeStatement('bills@acme.example');
    expect(statement.emailStatus).toBe(StatementEmailStatus.PENDING);
    await untilIs(partner, statement.id, StatementEmailStatus.SENT);
    expect([mailbox.refuse.count, mailbox.mails.length]).toEqual([2, 1]);
  });

  it('when the server took it and that cannot be recorded at first, then it is not sent again', async () => {
    await finance.database.pool.query(`CREATE SEQUENCE recordings;
      CREATE FUNCTION refuse_recordings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF nextval('recordings') <= 2 THEN RAISE 'the disk is full' USING ERRCODE = '53100'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_recordings BEFORE UPDATE ON statements FOR EACH ROW WHEN (NEW.email_status = 'Sent')
        EXECUTE FUNCTION refuse_recordings()`);
    const { partner, statement } = await makeStatement('bills@acme.example');
    await untilIs(partner, statement.id, StatementEmailStatus.SENT);
    await finance.database.pool.query('DROP FUNCTION refuse_recordings CASCADE; DROP SEQUENCE recordings');
    expect(mailbox.mails).toHaveLength(1);
  });

  it('when TLS is required and the server offers none, then nothing is sent to it', async () => {
    const mail = {
      to: 'bills@acme.example',
      subject: 'Statement',
      text: '',
      messageId: '<1@platform.example>',
      fileName: 'statement.pdf',
      pdf: Readable.from([Buffer.from('%PDF')]),
    };
    const server = createMailServer(mailbox.url, 'billing@platform.example', { requireTLS: true });
    await expect(server.send(mail)).rejects.toThrow();
    expect([mailbox.refuse.count, mailbox.mails.length]).toEqual([0, 0]);
  });

  it('when the server refuses three times, then it is given up with the reason', async () => {
    mailbox.refuse.next = 10;
    const { partner, statement } = await makeStatement('bills@acme.example');
    const failed = await untilIs(partner, statement.id, StatementEmailStatus.FAILED);
    expect(failed.emailStatusReason).toBe('The mail server refused the message (452)');
    expect(failed.emailSentAt).toBeUndefined();
    expect([mailbox.refuse.count, mailbox.mails.length]).toEqual([3, 0]);
  });

  it('when a process died in its last try, then it is given up, and its late word changes nothing', async () => {
    const { partner, statement } = await makeStatement('bills@acme.example');
    await untilIs(partner, statement.id, StatementEmailStatus.SENT);
    // As the process left it: the third try was counted, its lease has run out, and nobody said how it ended.
    await finance.database.pool.query(
      `UPDATE statements SET email_status = 'Pending', email_sent_at = NULL, email_attempts = 3,
              email_due_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [statement.id],
    );
    const emails = new EmailRepository(finance.database.servicePool);
    expect(await emails.claim(1_000)).toBeUndefined();
    await emails.markSent({ id: statement.id, attempt: 3 });
    const given = await read(partner, statement.id);
    expect([given.emailStatus, given.emailStatusReason]).toEqual([
      StatementEmailStatus.FAILED,
      'The last try was cut off',
    ]);
  });

  it('when several instances look at once, then each statement is claimed by one', async () => {
    const { partner, statement } = await makeStatement('bills@acme.example');
    await untilIs(partner, statement.id, StatementEmailStatus.SENT);
    await finance.database.pool.query(
      `UPDATE statements SET email_status = 'Pending', email_sent_at = NULL, email_attempts = 1,
              email_due_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [statement.id],
    );
    const emails = new EmailRepository(finance.database.servicePool);
    const claims = await Promise.all(Array.from({ length: 8 }, () => emails.claim(60_000)));
    expect(claims.filter((claim) => claim !== undefined).length).toBeLessThanOrEqual(1);
  });
});
