package programs;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.SplittableRandom;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Threads that transform documents with one stylesheet, compiled once. */
public final class Xslt {
    private static final String STYLESHEET = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        + "<xsl:output method='html' indent='yes'/><xsl:key name='kind' match='item' use='@kind'/>"
        + "<xsl:template match='/'><html><body><h1><xsl:value-of select='count(//item)'/></h1><xsl:apply-templates select='list/item'>"
        + "<xsl:sort select='@price' data-type='number'/></xsl:apply-templates></body></html></xsl:template>"
        + "<xsl:template match='item'><p class='{@kind}'><b><xsl:number count='item'/></b><xsl:value-of select='concat(name, \" \", @price * 2)'/>"
        + "<i><xsl:value-of select='count(key(\"kind\", @kind))'/></i><xsl:call-template name='stars'><xsl:with-param name='n' select='@stars'/>"
        + "</xsl:call-template></p></xsl:template><xsl:template name='stars'><xsl:param name='n'/><xsl:if test='$n &gt; 0'>*"
        + "<xsl:call-template name='stars'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template></xsl:stylesheet>";

    private Xslt() {
    }

    /** The arguments are threads, documents of each, and the class of the factory. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        TransformerFactory factory = TransformerFactory.newInstance(arguments[2], null);
        Templates templates = factory.newTemplates(new StreamSource(new StringReader(STYLESHEET)));
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                StringWriter result = new StringWriter();
                templates.newTransformer().transform(new StreamSource(new StringReader(document(number * size + i))), new StreamResult(result));
                digest.add(result);
            }
            return digest;
        });
    }

    private static String document(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("<list>");
        for (int i = 0; i < 60; i++) {
            text.append("<item kind='k").append(random.nextInt(7)).append("' price='").append(random.nextInt(10_000)).append("' stars='")
                .append(random.nextInt(6)).append("'><name>item ").append(random.nextInt(100)).append("</name></item>");
        }
        return text.append("</list>").toString();
    }
}
