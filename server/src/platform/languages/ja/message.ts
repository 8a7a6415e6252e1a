import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender}（Bestow経由）',
  'mail.subject': '{sender}からギフトが届きました',
  'mail.reminderSubject': '{sender}からのギフトをお忘れではありませんか',
  'mail.stillWrapped': 'まだ開けられていません。',
  'mail.worth': '{category} {amount}分。',
  'mail.anytime': 'お好きなときに開けてください。',
  'mail.fromThrough': '{sender}より（{organization}経由）',
  'mail.category': '{category}',
  'mail.open': 'ギフトを開く',
  'mail.copyLink': 'ボタンが使えない場合は、このアドレスをブラウザーにコピーしてください：',
  'mail.reminder': 'これは再度のお知らせです。',
  'mail.stop': 'お知らせを停止する',
  'mail.stopHere': 'これは再度のお知らせです。停止はこちら：',
  'real.title': 'これは本物ですか？',
  'real.yes': 'はい。{sender}がBestowで送ったもので、支払いは済んでいます。',
  'real.yesFor': 'はい。{organization}が{sender}に代わってBestowで送ったもので、支払いは済んでいます。',
  'real.free': '開けるのは無料です。パスワード、支払い、カード番号を求めることはありません。',
  'real.button':
    'ボタンは{host}につながります。ブラウザーにこの名前が表示されているか確認してください。ギフトに心当たりがない場合は、開ける前に、信頼できる方法で{sender}に連絡してください。',
  'real.link':
    'リンクは{host}につながります。ブラウザーにこの名前が表示されているか確認してください。ギフトに心当たりがない場合は、開ける前に、信頼できる方法で{sender}に連絡してください。',
  'real.forward': 'このメッセージがあれば誰でもギフトを開けられます。転送しないでください。',

  'text.hello': 'こんにちは。',
  'text.dear': '{recipient}さん',
  'text.waiting': 'ギフトが届いています。',
  'text.sent': '{sender}からギフトが届きました。',
  'text.sentWorth': '{sender}からギフトが届きました：{category} {amount}分。',
  'text.through': '{sender}から{organization}を通じてギフトが届きました。',
  'text.throughWorth': '{sender}から{organization}を通じてギフトが届きました：{category} {amount}分。',
  'text.open': 'お好きなときに、こちらから開けてください：',
  'text.openBy': 'こちらから開けて、{day}までに受け取ってください：',

  'sms.open': '{name}からギフトが届きました。開く： {link}',
  'sms.claim': '{name}からギフトが届きました。{day}までに受け取る： {link}',
  'sms.noteOpen': '{name}からメッセージ付きのギフトが届きました。開く： {link}',
  'sms.noteClaim': '{name}からメッセージ付きのギフトが届きました。{day}までに受け取る： {link}',
  'sms.stop': 'お知らせを停止： {link}',
  'sms.short': '{name}からギフトが届きました {link}',
  'sms.shortUntil': '{name}からギフトが届きました（{day}まで） {link}',
  'sms.shortNote': '{name}からメッセージ付きギフトが届きました {link}',
  'sms.shortNoteUntil': '{name}からメッセージ付きギフトが届きました（{day}まで） {link}',
  'sms.cardCode': 'ギフトカードのコードは{code}です。10分間有効です。ほかの人に教えないでください。',
  'sms.finderCode': 'ギフトを探すためのコードは{code}です。10分間有効です。ほかの人に教えないでください。',

  'code.title': 'あなたのコード',
  'code.once': '{minutes, plural, other {#分以内に一度だけ使えます。}}',
  'code.secret': 'このコードをほかの人に教えないでください',
  'cardCode.subject': 'ギフトのカードのコード',
  'cardCode.lead': 'カード番号を表示するには、ギフトのページで入力してください。',
  'cardCode.warning':
    'このコードとギフトのリンクがあれば、誰でもあなたのカードを使えます。Bestowがコードを尋ねることはありません。',
  'cardCode.unasked':
    'コードを依頼していない場合は、このメールを無視してください。コードがなければ誰も番号を見られません。',
  'cardCode.reason': 'あなたへのギフトであるカードの番号の表示が求められたため、このメールをお送りしています。',
  'finderCode.subject': 'ギフトを探すためのコード',
  'finderCode.lead': 'ギフトを表示するには、コードを求められたページで入力してください。',
  'finderCode.warning':
    'このコードがあれば、誰でもあなたのギフトを開けられます。Bestowがコードを尋ねることはありません。',
  'finderCode.unasked':
    'コードを依頼していない場合は、このメールを無視してください。コードがなければ誰もギフトを見られません。',
  'finderCode.reason': 'あなたの宛先に送られたギフトの表示が求められたため、このメールをお送りしています。',
  'cardReopened.subject': 'ギフトのカードをほかのブラウザーに移せます',
  'cardReopened.title': 'カードを移せます',
  'cardReopened.lead':
    'ギフトの送り主の許可により、{hours}時間以内に一度だけ、ほかのブラウザーでカード番号を表示できます。',
  'cardReopened.notes': '頼んだ覚えがない場合',
  'cardReopened.tell': 'すぐに送り主に知らせてください。送り主はカードを保留にできます。',
  'cardReopened.after': 'ほかのブラウザーがカードを引き継ぐと、以前のブラウザーでは番号を表示できなくなります。',
  'cardReopened.reason': 'このギフトを受け取った方にお送りしています。',
  'sms.cardReopened':
    '送り主の許可により、一度だけ、ほかのブラウザーでギフトのカードを表示できます。頼んだ覚えがない場合は、すぐに送り主に知らせてください。',
};
