import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} via Bestow',
  'mail.subject': '{sender} enviou um presente para você',
  'mail.reminderSubject': 'Seu presente de {sender} está esperando',
  'mail.stillWrapped': 'Ele ainda está embrulhado.',
  'mail.worth': '{amount} para {category}.',
  'mail.anytime': 'Abra quando quiser.',
  'mail.fromThrough': 'de {sender}, enviado por meio de {organization}',
  'mail.category': 'para {category}',
  'mail.open': 'Abrir seu presente',
  'mail.copyLink': 'Se o botão não funcionar, copie este endereço no seu navegador:',
  'mail.reminder': 'Este é um lembrete.',
  'mail.stop': 'Parar lembretes',
  'mail.stopHere': 'Este é um lembrete. Pare os lembretes aqui:',
  'real.title': 'Isto é verdade?',
  'real.yes': 'Sim. {sender} enviou com Bestow, e já está pago.',
  'real.yesFor': 'Sim. {organization} enviou com Bestow em nome de {sender}, e já está pago.',
  'real.free': 'Abrir é grátis. Ninguém vai pedir uma senha, um pagamento ou o número do seu cartão.',
  'real.button':
    'O botão leva a {host}: confira se o seu navegador mostra este nome. Se você não esperava um presente, fale com {sender} antes de abrir, por um meio em que confie.',
  'real.link':
    'O link leva a {host}: confira se o seu navegador mostra este nome. Se você não esperava um presente, fale com {sender} antes de abrir, por um meio em que confie.',
  'real.forward': 'Quem tiver esta mensagem pode abrir o presente, então não a encaminhe.',

  'text.hello': 'Olá,',
  'text.dear': 'Olá, {recipient},',
  'text.waiting': 'Seu presente está esperando.',
  'text.sent': '{sender} enviou um presente para você.',
  'text.sentWorth': '{sender} enviou um presente para você: {amount} para {category}.',
  'text.through': '{sender} enviou um presente para você por meio de {organization}.',
  'text.throughWorth': '{sender} enviou um presente para você por meio de {organization}: {amount} para {category}.',
  'text.open': 'Abra aqui, quando quiser:',
  'text.openBy': 'Abra aqui e resgate até {day}:',

  'sms.open': '{name} te enviou um presente. Abra: {link}',
  'sms.claim': '{name} te enviou um presente. Resgate antes do fim de {day}: {link}',
  'sms.noteOpen': '{name} te enviou um presente com uma mensagem. Abra: {link}',
  'sms.noteClaim': '{name} te enviou um presente com uma mensagem. Resgate antes do fim de {day}: {link}',
  'sms.stop': 'Parar lembretes: {link}',
  'sms.short': '{name}: presente para você {link}',
  'sms.shortUntil': '{name}: presente para você até {day} {link}',
  'sms.shortNote': '{name}: um presente com uma mensagem {link}',
  'sms.shortNoteUntil': '{name}: um presente com uma mensagem até {day} {link}',
  'sms.cardCode': 'Seu código do cartão-presente é {code}. Vale dez minutos. Não compartilhe.',
  'sms.finderCode': 'Seu código para encontrar seus presentes é {code}. Vale dez minutos. Não compartilhe.',

  'code.title': 'Seu código',
  'code.once':
    '{minutes, plural, one {Ele funciona uma vez, dentro de # minuto.} many {Ele funciona uma vez, dentro de # minutos.} other {Ele funciona uma vez, dentro de # minutos.}}',
  'code.secret': 'Não compartilhe este código',
  'cardCode.subject': 'Seu código para o cartão do seu presente',
  'cardCode.lead': 'Digite-o na página do seu presente para ver o número do cartão.',
  'cardCode.warning':
    'Quem tiver este código e o link do presente pode usar seu cartão. Bestow nunca pede este código.',
  'cardCode.unasked': 'Se você não pediu um código, ignore este e-mail. Ninguém pode ver o número sem o código.',
  'cardCode.reason':
    'Você recebeu este e-mail porque alguém pediu o número de um cartão que foi um presente para você.',
  'finderCode.subject': 'Seu código para encontrar seus presentes',
  'finderCode.lead': 'Digite-o na página que o pediu para ver seus presentes.',
  'finderCode.warning': 'Quem tiver este código pode abrir seus presentes. Bestow nunca pede este código.',
  'finderCode.unasked':
    'Se você não pediu um código, ignore este e-mail. Ninguém pode ver seus presentes sem o código.',
  'finderCode.reason': 'Você recebeu este e-mail porque alguém pediu os presentes enviados para o seu endereço.',
  'cardReopened.subject': 'O cartão do seu presente pode mudar de navegador',
  'cardReopened.title': 'Seu cartão pode mudar de navegador',
  'cardReopened.lead':
    'Quem enviou seu presente permite que outro navegador mostre o número do cartão, uma única vez, em até {hours} horas.',
  'cardReopened.notes': 'Se você não pediu isso',
  'cardReopened.tell': 'Avise logo quem enviou o presente. O cartão pode ser bloqueado.',
  'cardReopened.after': 'Quando outro navegador fica com o cartão, o anterior deixa de mostrar o número.',
  'cardReopened.reason': 'Você recebeu este e-mail porque resgatou este presente.',
  'sms.cardReopened':
    'Quem enviou seu presente permite que outro navegador mostre o cartão, uma única vez. Se você não pediu isso, avise logo quem enviou.',
};
