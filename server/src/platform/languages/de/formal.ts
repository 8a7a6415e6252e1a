import type { Catalogue } from '../catalogue.ts';

/** What differs if the operator addresses people as “Sie”. */
export const formal: Partial<Catalogue> = {
  'chrome.preview': 'Ein Geschenk für Sie',
  'chrome.description': 'Jemand hat Ihnen ein Geschenk geschickt. Öffnen Sie es, wann Sie möchten.',
  'gift.claimBy': 'Lösen Sie es bis zum {day} ein.',
  'disclosure.award': 'Sie bekommen dieses Geschenk als Prämie, als Dank für Ihre Treue oder im Rahmen einer Aktion.',
  'disclosure.sold': 'Dieses Geschenk wurde für Sie gekauft.',
  'disclosure.noLastDay': 'Sie können es unbefristet einlösen.',

  'wrapped.forYou': 'Ein Geschenk für Sie',
  'wrapped.anytime': 'Öffnen Sie es, wann Sie möchten.',
  'wrapped.yours': 'Dieser Link gehört nur Ihnen, leiten Sie ihn also nicht weiter.',
  'opened.title': 'Ihr Geschenk',
  'opened.once':
    'Beim Einlösen kommt der volle Betrag auf eine Karte für Sie. Sie können das Geschenk nur einmal einlösen.',
  'choose.worth': '{amount} für etwas, das Sie mögen',
  'choose.title': 'Wählen Sie, was Ihnen gefällt',
  'choose.note': 'Sie können Ihre Wahl ändern, bis Sie das Geschenk einlösen.',
  'choose.none': 'Im Moment gibt es nichts zur Auswahl. Ihr Geschenk ist sicher: Bitte kommen Sie später wieder.',
  'choose.gone': 'Das wird nicht mehr angeboten. Wählen Sie etwas anderes.',
  'keep.title': 'Damit Sie wieder an Ihre Karte kommen',
  'keep.why':
    'Nur dieser Browser zeigt die Kartennummer. Mit Ihrer E-Mail-Adresse oder einer PIN zeigen sie auch Ihre anderen Geräte.',
  'keep.email': 'Ihre E-Mail-Adresse',
  'keep.warning':
    'Ohne E-Mail-Adresse oder PIN bleibt die Karte nur in diesem Browser. Wenn eine App ihr Fenster schließt, Sie Cookies löschen oder Ihr Telefon verlieren, können Sie den Rest der Karte nicht mehr nutzen. Dann kann nur noch {sender} helfen.',
  'decline.text':
    'Wir sagen es {sender} und schicken Ihnen keine Erinnerungen mehr. Sie können es später trotzdem einlösen.',
  'decline.done': '{sender} kann sehen, dass Sie dieses Geschenk nicht möchten. Sie können es trotzdem einlösen.',

  'claiming.title': 'Ihre Karte ist unterwegs',
  'claiming.wait': 'Wir warten auf den Herausgeber der Karte. Ihr Geschenk über {amount} von {sender} ist sicher.',
  'claiming.again':
    'Diese Seite sieht alle paar Sekunden nach. Sie können sie auch schließen und später mit demselben Link wiederkommen.',
  'held.text': 'Zurzeit kann niemand es einlösen oder nutzen. Wenden Sie sich an {sender}.',
  'canceled.text': 'Es kann nicht mehr eingelöst werden. Wenn Sie Fragen haben, wenden Sie sich an {sender}.',
  'expired.ask': 'Ihr Geschenk ist sicher. Bitten Sie {sender} um einen neuen Link.',
  'expired.possible': 'Ihr Geschenk ist sicher. Wir können einen neuen Link an dieselbe Adresse schicken: {address}.',
  'expired.sentTitle': 'Wir haben Ihnen einen neuen Link geschickt',
  'expired.sentNote':
    'Das kann ein paar Minuten dauern. Sehen Sie auch im Spam-Ordner nach. Nach einer Stunde können Sie hier einen weiteren Link anfordern.',
  'expired.exhausted':
    'Ihr Geschenk ist sicher. Wir haben heute mehrere Links an {address} geschickt, und der letzte funktioniert.',
  'expired.tomorrow': 'Morgen können Sie einen weiteren Link anfordern.',
  'unknown.text':
    'Prüfen Sie, ob der Link vollständig ist, oder öffnen Sie ihn noch einmal aus Ihrer Nachricht. Wenn das nicht hilft, fragen Sie den Absender.',
  'unknown.find': 'Geschenke über Ihre Adresse finden',
  'blocked.gift':
    'Eine andere Website wollte einen Knopf auf dieser Seite drücken. Wir haben nichts getan, und Ihr Geschenk ist unverändert.',
  'blocked.go': 'Zu Ihrem Geschenk',
  'limited.text':
    'Aus Ihrem Netzwerk kamen zu viele Anfragen. Ihr Geschenk ist unverändert. Versuchen Sie es gleich noch einmal.',
  'failed.text': 'Der Fehler liegt bei uns. Ihr Geschenk ist sicher. Versuchen Sie es gleich noch einmal.',
  'stop.text':
    'Wir schicken dann keine Erinnerungen mehr an Geschenke von {sender} an {address}. Ihre Geschenke bleiben, wie sie sind.',
  'stopped.text': 'Wir erinnern Sie nicht mehr. Ihre Geschenke bleiben, wie sie sind.',

  'find.title': 'Finden Sie Ihre Geschenke',
  'find.lost': 'Link verloren? Geben Sie die Adresse ein, an die Ihr Geschenk ging.',
  'find.wrong': 'Geben Sie eine E-Mail-Adresse ein oder eine Telefonnummer, die mit + beginnt.',
  'find.note':
    'Wir senden nur einen Code, wenn es für diese Adresse ein Geschenk gibt. Geschenke, die Sie als Link bekommen haben, finden Sie hier, wenn Sie diese Adresse beim Einlösen angegeben haben; sonst fragen Sie den Absender.',
  'find.codeTitle': 'Geben Sie Ihren Code ein',
  'find.codeNote':
    'Das kann ein paar Minuten dauern. Sehen Sie auch im Spam-Ordner nach. Nach einer Minute können Sie einen weiteren Code anfordern, bis zu fünf am Tag.',
  'find.giftsTitle': 'Ihre Geschenke',
  'find.count': '{count, plural, =0 {Keine Geschenke} one {Ihr Geschenk} other {Ihre # Geschenke}}',
  'find.links':
    'Diese Links sind neu und gehören nur Ihnen, leiten Sie sie also nicht weiter. Frühere Links funktionieren weiterhin.',
  'find.wait':
    '{minutes, plural, one {Versuchen Sie es in # Minute noch einmal.} other {Versuchen Sie es in # Minuten noch einmal.}}',

  'card.title': 'Ihre Karte',
  'card.spentTitle': 'Ihre Karte ist aufgebraucht',
  'card.for': 'Ihre Karte für {category}',
  'card.spentFor': 'Ihre Karte für {category} ist aufgebraucht',
  'card.yours': 'Sie gehört Ihnen!',
  'card.claimed': 'Dieses Geschenk ist eingelöst. Bewahren Sie den Link auf, um zu Ihrer Karte zurückzukommen.',
  'card.allowScripts': 'Um die Nummer zu sehen, erlauben Sie auf dieser Seite Skripte des Kartenherausgebers.',
  'card.notShown': 'Die Nummer kann gerade nicht angezeigt werden. Laden Sie die Seite gleich noch einmal.',
  'codes.ready': 'Ihr Code für {shop} ist bereit. Zeigen Sie ihn nur an der Kasse oder in der App des Geschäfts.',
  'balance.spent': 'Alles ist ausgegeben. Wenn ein Geschäft Ihnen Geld erstattet, kommt es auf diese Karte zurück.',
  'steps.comeBack': 'Kommen Sie mit demselben Link zurück: Er zeigt immer, was noch übrig ist.',
  'steps.copyCode': 'Kopieren Sie den Code oder lassen Sie diese Seite offen.',
  'steps.showCode': 'Drücken Sie auf „Code zeigen“.',
  'steps.enterCode': 'Geben Sie ihn ein, wenn Sie bei {shop} bezahlen, oder zeigen Sie ihn an der Kasse.',
  'steps.shopKnows':
    'Das Geschäft merkt sich, was noch übrig ist. Wenn Sie den Code noch einmal brauchen, kommen Sie mit demselben Link zurück.',
  'steps.open': 'Drücken Sie auf „Geschenk öffnen“.',
  'steps.follow': 'Folgen Sie den Schritten auf der Seite, die sich öffnet.',
  'steps.keepOpen': 'Lassen Sie diese Seite offen oder kopieren Sie, was Sie brauchen.',
  'steps.showNumber': 'Drücken Sie auf „Nummer zeigen“.',
  'steps.payByCard':
    'Wählen Sie in einem Geschäft für {category} die Zahlung mit Karte und geben Sie Nummer, Ablaufdatum und Prüfziffer ein.',
  'help.ask': 'Fragen Sie {organization}. Nennen Sie dabei die Nummer des Geschenks: {number}',
  'help.through':
    'Fragen Sie {organization}, denn darüber hat {sender} dieses Geschenk geschickt. Nennen Sie dabei die Nummer des Geschenks: {number}',
  'devices.text':
    'Nur dieser Browser kann die Kartennummer anzeigen. Geben Sie Ihre E-Mail-Adresse oder eine PIN ein, um sie auch auf anderen Geräten zu sehen.',
  'devices.byPin': 'Andere Geräte zeigen die Kartennummer mit Ihrer PIN.',
  'test.text': 'Das ist ein Testgeschenk. Simulieren Sie einen Einkauf mit seiner Karte, ohne echtes Geld.',
  'test.unreadable': 'Geben Sie einen Betrag ein, zum Beispiel 5,00.',
  'thanks.title': 'Sagen Sie Danke',
  'thanks.hint': 'Bis zu {most} Zeichen. Sie können eine Nachricht senden und sie nicht mehr ändern.',
  'thanks.done': 'Sie haben sich bei {sender} bedankt',
  'thanks.empty': 'Schreiben Sie zuerst ein paar Worte.',
  'thanks.long': 'Eine Nachricht hat höchstens {most} Zeichen; Ihre hat {length}.',

  'proof.question': 'Ist das Ihre Karte?',
  'proof.sent': 'Geben Sie den Code ein, den wir an {address} gesendet haben. Er gilt zehn Minuten.',
  'proof.enterPin': 'Geben Sie die PIN ein, die beim Einlösen festgelegt wurde.',
  'proof.orPin': 'Oder geben Sie Ihre PIN ein.',
  'proof.otherBrowser':
    'Öffnen Sie diesen Link in dem Browser, in dem das Geschenk eingelöst wurde. Wenn das nicht geht, bitten Sie {sender}, die Karte für einen anderen Browser freizugeben.',
  'proof.reopened':
    '{sender} gibt diese Karte einmal für einen anderen Browser frei. Wenn Sie sie übernehmen, kann danach nur dieser Browser die Nummer anzeigen.',
  'notice.taken':
    'Ein anderer Browser hat die Karte übernommen, oder die Zeit ist abgelaufen. Wenn Sie das nicht waren, fragen Sie {sender}.',
  'notice.wrongEmail': 'Das ist keine E-Mail-Adresse. Prüfen Sie sie auf Tippfehler.',
  'notice.wrongPin': 'Diese PIN stimmt nicht. Nach fünf falschen müssen Sie eine Stunde warten.',
  'notice.wrongCode': 'Dieser Code stimmt nicht oder gilt nicht mehr. Für jeden Code haben Sie fünf Versuche.',
  'notice.waitForCode':
    'Wir haben gerade erst einen Code gesendet oder heute schon fünf. Warten Sie eine Minute oder bis morgen.',
  'notice.noCard':
    'Wir konnten Ihre Karte nicht erstellen. Ihr Geschenk ist sicher: Versuchen Sie es gleich noch einmal.',
  'refusal.noIssuer':
    'Geschenke können noch nicht eingelöst werden, weil hier kein Kartenherausgeber eingerichtet ist. Ihr Geschenk ist sicher: Kommen Sie später wieder.',
  'refusal.notNow': 'Ihr Geschenk kann gerade nicht eingelöst werden. Es ist sicher: Kommen Sie später wieder.',
  'refusal.checked': 'Ihr Geschenk wird geprüft. Versuchen Sie es gleich noch einmal.',
  'refusal.noCode':
    'Für dieses Geschenk ist im Moment kein Code mehr übrig. Ihr Geschenk ist sicher: Kommen Sie später wieder.',
  'refusal.choice': 'Bitte prüfen Sie Ihre Wahl und lösen Sie Ihr Geschenk dann ein.',
  'refusal.terms': 'Bitte akzeptieren Sie die Bedingungen.',
  'refusal.details': 'Der Herausgeber der Karten hat diese Angaben nicht akzeptiert. Bitte prüfen Sie sie.',
  'refusal.impossible':
    'Der Herausgeber der Karten kann für Sie keine Karte erstellen. Bitten Sie den Absender um ein anderes Geschenk.',
  'form.latin': '{label}: Bitte lateinische Buchstaben verwenden, wie auf Ihrer Bankkarte.',

  'mail.subject': '{sender} hat Ihnen ein Geschenk geschickt',
  'mail.reminderSubject': 'Ihr Geschenk von {sender} wartet',
  'mail.anytime': 'Öffnen Sie es, wann immer Sie möchten.',
  'mail.copyLink': 'Wenn der Knopf nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  'mail.stopHere': 'Das ist eine Erinnerung. Hier können Sie sie abbestellen:',
  'real.free':
    'Das Öffnen kostet nichts. Niemand fragt Sie nach einem Passwort, einer Zahlung oder Ihrer Kartennummer.',
  'real.button':
    'Der Knopf führt zu {host}: Prüfen Sie, ob Ihr Browser diesen Namen zeigt. Wenn Sie kein Geschenk erwartet haben, fragen Sie {sender} vor dem Öffnen auf einem Weg, dem Sie vertrauen.',
  'real.link':
    'Der Link führt zu {host}: Prüfen Sie, ob Ihr Browser diesen Namen zeigt. Wenn Sie kein Geschenk erwartet haben, fragen Sie {sender} vor dem Öffnen auf einem Weg, dem Sie vertrauen.',
  'real.forward': 'Wer diese Nachricht hat, kann das Geschenk öffnen. Leiten Sie sie also nicht weiter.',
  'text.waiting': 'Ihr Geschenk wartet.',
  'text.sent': '{sender} hat Ihnen ein Geschenk geschickt.',
  'text.sentWorth': '{sender} hat Ihnen ein Geschenk geschickt: {amount} für {category}.',
  'text.through': '{sender} hat Ihnen über {organization} ein Geschenk geschickt.',
  'text.throughWorth': '{sender} hat Ihnen über {organization} ein Geschenk geschickt: {amount} für {category}.',
  'text.open': 'Öffnen Sie es hier, wann immer Sie möchten:',
  'text.openBy': 'Öffnen Sie es hier und lösen Sie es bis zum {day} ein:',
  'sms.open': '{name} hat Ihnen ein Geschenk geschickt. Öffnen Sie es: {link}',
  'sms.claim': '{name} hat Ihnen ein Geschenk geschickt. Einlösen bis zum {day}: {link}',
  'sms.noteOpen': '{name} hat Ihnen ein Geschenk mit Nachricht geschickt. Öffnen Sie es: {link}',
  'sms.noteClaim': '{name} hat Ihnen ein Geschenk mit Nachricht geschickt. Einlösen bis zum {day}: {link}',
  'sms.short': '{name}: Geschenk für Sie {link}',
  'sms.shortUntil': '{name}: Geschenk für Sie bis {day} {link}',
  'sms.cardCode': 'Ihr Code für die Geschenkkarte ist {code}. Er gilt zehn Minuten. Geben Sie ihn nicht weiter.',
  'sms.finderCode':
    'Ihr Code, um Ihre Geschenke zu finden, ist {code}. Er gilt zehn Minuten. Geben Sie ihn nicht weiter.',
  'code.title': 'Ihr Code',
  'code.secret': 'Geben Sie diesen Code nicht weiter',
  'cardCode.subject': 'Ihr Code für die Karte Ihres Geschenks',
  'cardCode.lead': 'Geben Sie ihn auf der Seite Ihres Geschenks ein, um die Kartennummer zu sehen.',
  'cardCode.warning':
    'Wer diesen Code und den Link des Geschenks hat, kann Ihre Karte benutzen. Bestow fragt nie danach.',
  'cardCode.unasked':
    'Wenn Sie keinen Code angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code kann niemand die Nummer sehen.',
  'cardCode.reason':
    'Sie bekommen diese E-Mail, weil jemand die Nummer einer Karte sehen wollte, die ein Geschenk an Sie war.',
  'finderCode.subject': 'Ihr Code, um Ihre Geschenke zu finden',
  'finderCode.lead': 'Geben Sie ihn auf der Seite ein, die danach gefragt hat, um Ihre Geschenke zu sehen.',
  'finderCode.warning': 'Wer diesen Code hat, kann Ihre Geschenke öffnen. Bestow fragt nie danach.',
  'finderCode.unasked':
    'Wenn Sie keinen Code angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code kann niemand Ihre Geschenke sehen.',
  'finderCode.reason':
    'Sie bekommen diese E-Mail, weil jemand nach Geschenken gefragt hat, die an Ihre Adresse gingen.',
  'cardReopened.subject': 'Die Karte Ihres Geschenks kann umziehen',
  'cardReopened.title': 'Ihre Karte kann umziehen',
  'cardReopened.lead':
    'Wer Ihnen das Geschenk gemacht hat, gibt die Kartennummer einmal für einen anderen Browser frei, innerhalb von {hours} Stunden.',
  'cardReopened.notes': 'Wenn Sie nicht darum gebeten haben',
  'cardReopened.tell': 'Sagen Sie sofort dort Bescheid, woher Ihr Geschenk kommt. Die Karte kann gesperrt werden.',
  'cardReopened.reason': 'Sie bekommen diese E-Mail, weil Sie dieses Geschenk eingelöst haben.',
  'sms.cardReopened':
    'Die Karte Ihres Geschenks ist einmal für einen anderen Browser freigegeben. Wenn Sie nicht darum gebeten haben, sagen Sie sofort dort Bescheid, woher das Geschenk kommt.',
};
