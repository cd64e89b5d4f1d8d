import { describe, expect, test } from '@jest/globals';
import { scenarioFor } from './outcomes';

describe('scenarioFor', () => {
  test.each([
    ['+966500000001', 'someone+fail@example.com', 'fail'],
    ['+966500000002', 'someone+outage@example.com', 'outage'],
    ['+966500000003', 'someone+pending@example.com', 'pending'],
    ['+966500000004', 'someone+pendingfail@example.com', 'pendingfail'],
    ['+966500000005', 'someone+unknown@example.com', 'unknown'],
    ['+966500000006', 'someone+dropped@example.com', 'dropped'],
    ['+966500000007', 'someone+slow@example.com', 'slow'],
    ['+966500000008', 'someone@example.com', 'success'],
    ['+966500001000', 'fail@example.com', 'success'],
    ['+966500010001', 'a+b+FAIL@example.com', 'fail'],
    ['+966500100018', 'someone+failing@pending.example.com', 'success'],
  ])('when the recipient is %s or %s, then it rehearses %s', (phoneNumber, email, name) => {
    expect(scenarioFor({ phoneNumber }).name).toBe(name);
    expect(scenarioFor({ email }).name).toBe(name);
  });
});
