"""Legacy encodings of short texts: what a person's old files look like."""

import pytest

from deeptrust.documents.alphabets import guess_encoding

TEXTS = {
    "cp1252": (
        "Die Straße ist für Fußgänger gesperrt. Größe und Übermaß.",
        "name;betrag\nMüller;900\n",
        "größe",
        "Der Mieter muß die Wohnung räumen, ohne daß er gehört würde. Höhe 5 m².",
        "Le contrat commence le premier janvier. La caution est rendue sous trente jours. Ça où l’été.",
        "Café naïve résumé – “quoted” text for £40.",
        "El contrato empezó en enero. ¿Qué año? Mañana.",
        "Hyresavtalet börjar i maj. Depositionen återbetalas inom trettio dagar.",
        "O contrato começa em maio. A caução é devolvida em trinta dias.",
        "price 5 €",
    ),
    "iso8859_1": ("Samningurinn hefst í maí og það er þörf á tryggingu. Öllum er skylt að mæta.",),
    "cp1250": (
        "Umowa zaczyna się w maju. Kaucja zostanie zwrócona w ciągu trzydziestu dni.",
        "Żółć, ślad, gęś.",
        "Smlouva začíná prvního ledna. Kauce se vrací do třiceti dnů. Příliš žluťoučký kůň.",
        "A szerződés januárban kezdődik. A kauciót harminc napon belül visszafizetik. Tűzfű.",
    ),
    "iso8859_2": ("Umowa zaczyna się w maju. Kaucja zostanie zwrócona w ciągu trzydziestu dni. Ślad.",),
    "cp1254": (
        "Sözleşme Ocak ayında başlar. Depozito otuz gün içinde iade edilir. Işık, ağaç.",
        "Kira sözleşmesi mayısta başlıyor ve depozito geri ödenir.",
    ),
    "cp1257": ("Sutartis prasideda gegužės mėnesį. Užstatas grąžinamas per trisdešimt dienų.",),
    "cp1251": ("Договор вступает в силу с первого января. Залог возвращают в течение тридцати дней.", "Залог"),
    "koi8_r": ("Привет, это русский текст о погоде и природе. Сегодня хорошая погода.",),
    "cp866": ("Договор вступает в силу с первого января. Залог возвращают.",),
    "iso8859_5": ("Договор вступает в силу с первого января. Залог возвращают.",),
    "cp1253": ("Η σύμβαση αρχίζει την πρώτη Ιανουαρίου. Η εγγύηση επιστρέφεται εντός τριάντα ημερών.",),
    "cp1255": ("החוזה מתחיל בראשון בינואר. הפיקדון מוחזר תוך שלושים יום.",),
    "cp1256": ("يبدأ العقد في الأول من يناير ويتم إرجاع الوديعة خلال ثلاثين يوما.",),
    "cp874": ("สัญญาเริ่มต้นในวันที่หนึ่งมกราคม เงินประกันจะคืนภายในสามสิบวัน",),
    "mac_roman": ("Die Straße ist für Fußgänger gesperrt. Größe und Übermaß.",),
    "cp932": ("これは日本語のテキストです。東京は日本の首都です。", "東京の人口は多い。"),
    "euc_jp": ("これは日本語のテキストです。東京は日本の首都です。",),
    "gb18030": ("这是一个中文文本，北京是中国的首都。人们喜欢在公园里散步。", "合同自一月一日起生效。"),
    "big5": ("這是一個中文文本，北京是中國的首都。人們喜歡在公園裡散步。",),
    "cp949": ("이것은 한국어 텍스트입니다. 서울은 한국의 수도입니다.",),
}


@pytest.mark.parametrize(("codec", "text"), [(codec, text) for codec, texts in TEXTS.items() for text in texts])
def test_the_letters_of_a_language_give_its_encoding_away(codec: str, text: str) -> None:
    data = text.encode(codec)
    assert data.decode(guess_encoding(data), errors="replace") == text
