import type { Words } from '../en';

/** What the page of rates says. */
export const rates: Words['rates'] = {
  title: 'أسعار الصرف',
  currency: 'العملة',
  rate: 'وحدات مقابل ريال',
  set: 'تحديد سعر',
  change: 'تغيير',
  effect: 'تُعرض الأسعار والأرصدة به من الآن. أما الخصم فبالريال ويبقى كما هو.',
  done: (currency) => `تم تحديد ${currency}.`,
  updated: 'حُدد',
};

/** What the page of statements says. */
export const statements: Words['statements'] = {
  title: 'كشوف الحساب',
  choose: 'اختر شريكًا لترى كشوف حسابه.',
  number: 'الكشف',
  period: 'الفترة',
  debits: 'المدين',
  credits: 'الدائن',
  net: 'الصافي',
  email: 'البريد',
  emails: { Pending: 'معلّق', Sent: 'أُرسل', Failed: 'أخفق', Skipped: 'تُخطي' },
  show: 'عرض PDF',
  hide: 'إخفاء PDF',
  download: 'تنزيل',
  make: 'إنشاء كشف',
  effect: 'يُقفل من حينه. ويجب أن يبدأ حيث انتهى السابق وأن ينتهي قبل الآن.',
  from: 'من',
  to: 'إلى ما قبل',
  made: 'أُنشئ الكشف.',
};

/** What the page of reconciliation says. */
export const reconciliation: Words['reconciliation'] = {
  title: 'المطابقة',
  service: 'الخدمة',
  check: 'الفحص',
  kind: 'النوع',
  subject: 'الموضوع',
  expected: 'المتوقع',
  found: 'الموجود',
  first: 'أول مرة',
  last: 'آخر مرة',
  resolved: 'زال',
  state: 'الحالة',
  states: { Open: 'قائم', Accepted: 'مقبول', Resolved: 'زائل' },
  none: 'كل شيء متطابق.',
  accept: 'قبوله كما هو',
  acceptEffect:
    'لا يُحسب بعد الآن، وينتهي تنبيهه مع آخر فرق قائم. لا يُصلح شيء ولا يتحرك مال. وإن تغيرت أرقامه عاد قائمًا.',
  accepted: 'تم قبوله.',
  reopen: 'إعادته قائمًا',
  reopenEffect: 'يُحسب من جديد، وينطلق تنبيهه.',
  reopened: 'عاد قائمًا.',
  before: (by, expected, found) => `قبله ${by} من قبل حين كان المتوقع ${expected} والموجود ${found}.`,
  free: 'تحرير السلة',
  freeEffect: (order) =>
    `تُحرَّر السلة والمخزون والخصم المحجوزة للطلب ${order}. لا يتحرك مال. ويُرفض إن وُجد طلب كهذا.`,
  freed: 'حُرّرت. وستجد المطابقة التالية أن الفرق زال.',
  acceptedAt: 'وقت القبول',
  acceptedBy: 'قبله',
  run: 'مطابقة كل شيء الآن',
  runEffect: 'تطابق كل خدمة دفاترها بدفاتر غيرها خلال دقيقة، أو دقائق إن طال السجل. ولا يُصلح شيء.',
  ran: (open) => `${open} فروق قائمة.`,
  incomplete: 'لم تمكن مطابقة كل شيء؛ ربما خدمة غائبة.',
  compared: 'طوبق',
  differences: 'الفروق',
  completed: 'اكتمل',
  failure: 'الإخفاق',
};

/** What the page of approvals says. */
export const approvals: Words['approvals'] = {
  title: 'الموافقات',
  statuses: { Pending: 'معلّق', Approved: 'موافق عليه', Rejected: 'مرفوض', Lapsed: 'منتهي' },
  actions: { 'wallet.credit': 'إيداع', 'wallet.adjust': 'تسوية', 'order.reverse': 'عكس' },
  action: 'ماذا',
  partner: 'الشريك',
  amount: 'المبلغ',
  subject: 'الموضوع',
  notes: 'ملاحظات',
  by: 'طلبه',
  at: 'طُلب',
  expires: 'ينتهي',
  decided: 'حسمه',
  approve: 'موافقة',
  approveEffect: (what, amount, partner) =>
    `${what} بمبلغ ${amount} لدى ${partner} يُنفذ فورًا ولا يُرد إلا بحركة أخرى.`,
  approved: 'تمت الموافقة والتنفيذ.',
  reject: 'رفض',
  rejectEffect: 'لا يتحرك شيء. ويجوز لمن طلبه أن يطلبه من جديد.',
  rejected: 'رُفض.',
  own: 'طلبته أنت: يجب أن يحسمه غيرك.',
};

/** What the page of the audit says. */
export const audit: Words['audit'] = {
  title: 'سجل التدقيق',
  when: 'متى',
  who: 'من',
  action: 'الفعل',
  subject: 'الموضوع',
  partner: 'الشريك',
  request: 'الطلب',
  details: 'التفاصيل',
  service: 'الخدمة',
  sequence: 'رقم',
  hash: 'البصمة',
  export: 'تصدير السلسلة',
  asPartner: 'شريك',
};

/** What the page of operators' tokens says. */
export const tokens: Words['tokens'] = {
  title: 'رموز المشغّلين',
  name: 'الاسم',
  roles: 'الأدوار',
  make: 'إنشاء رمز',
  effect: 'البرنامج الذي يملكه يستطيع ما تستطيعه أدواره. ويُحسب أيضًا عليك حيث يلزم مشغّل ثانٍ.',
  made: 'أُنشئ الرمز.',
  token: 'الرمز',
  revoke: 'إلغاء',
  revokeEffect: 'يُرفض خلال خمس ثوانٍ. لا يمكن التراجع.',
  revoked: (name) => `تم إلغاء ${name}.`,
  none: 'لا توجد رموز بعد.',
};
